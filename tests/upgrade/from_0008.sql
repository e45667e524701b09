BEGIN TRANSACTION;
CREATE TABLE alarms (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	site VARCHAR(200) NOT NULL, 
	kind VARCHAR(16) NOT NULL, 
	severity VARCHAR(16) NOT NULL, 
	since DATETIME NOT NULL, 
	opened_at DATETIME NOT NULL, 
	closed_at DATETIME, 
	message TEXT NOT NULL, 
	details JSON, 
	told_opened BOOLEAN DEFAULT 0 NOT NULL, 
	told_closed BOOLEAN DEFAULT 0 NOT NULL, 
	attempts INTEGER DEFAULT '0' NOT NULL, 
	tell_at DATETIME
);
INSERT INTO "alarms" VALUES(1,'ridge','extraction','critical','2026-10-14 01:00:00.000000','2026-10-14 13:00:00.000000',NULL,'extraction looks broken since 2026-10-14 01:00 UTC: page failed on 77% (usually 0%), most often extraction/empty of the last 30 pages','{"shares": {"page failed": [0.767, 0.0]}, "usual_characters": 1095, "usual_deviation": 100, "pages": 30}',0,0,0,'2026-10-14 13:00:00.000000');
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0008');
CREATE TABLE archive_files (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	name VARCHAR(200) NOT NULL, 
	created DATETIME NOT NULL, 
	deleted DATETIME, 
	CONSTRAINT uq_archive_files_name UNIQUE (name)
);
INSERT INTO "archive_files" VALUES(1,'newscrawl-20261123014143362302-vm-10945-00001.warc.gz','2026-11-23 01:41:43.362302',NULL);
INSERT INTO "archive_files" VALUES(2,'newscrawl-20261123014147306751-vm-10945-00002.warc.gz','2026-11-23 01:41:47.306751',NULL);
CREATE TABLE articles (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	identity_key VARCHAR(64) NOT NULL, 
	content_hash VARCHAR(64) NOT NULL, 
	text TEXT NOT NULL, 
	language TEXT, 
	extractor TEXT NOT NULL, 
	first_seen DATETIME NOT NULL, 
	CONSTRAINT uq_articles_identity_key UNIQUE (identity_key)
);
INSERT INTO "articles" VALUES(1,'4c65faead6e6a37bf72eabf1b2b75f9a','4c65faead6e6a37bf72eabf1b2b75f9a','On Monday two teachers measured the market hall for 29 crowns, so that the Sunday fair could take place as planned, harbour-0 witness 0 said. On Monday a group of fishermen repaired the old mill for 945 crowns, after a long debate that lasted until midnight, harbour-0 witness 1 said. On Tuesday the council closed the north road for 947 crowns, because the winter storms had left cracks in the stone, harbour-0 witness 2 said.

On Thursday a young engineer inspected the railway yard for 788 crowns, although the budget for this year was already spent, harbour-0 witness 3 said. On Thursday a young engineer sold the railway yard for 550 crowns, so that the Sunday fair could take place as planned, harbour-0 witness 4 said. On Monday a group of fishermen closed the old mill for 302 crowns, and promised to publish the figures before the spring, harbour-0 witness 5 said.

On Thursday two teachers painted the old mill for 72 crowns, although the budget for this year was already spent, harbour-0 witness 6 said. On Saturday the mayor painted the upper bridge for 68 crowns, so that the Sunday fair could take place as planned, harbour-0 witness 7 said. On Monday two teachers closed the north road for 963 crowns, so that the Sunday fair could take place as planned, harbour-0 witness 8 said.

On Monday a young engineer inspected the upper bridge for 102 crowns, because the winter storms had left cracks in the stone, harbour-0 witness 9 said. On Monday the harbour master measured the market hall for 894 crowns, after a long debate that lasted until midnight, harbour-0 witness 10 said.','en','boilerpipe-wide+group','2026-10-15 00:09:00.000000');
INSERT INTO "articles" VALUES(2,'a5ee89cdf8656ce33f80eddf2a2dfe05','a5ee89cdf8656ce33f80eddf2a2dfe05','On Thursday a young engineer rented out the railway yard for 568 crowns, although the budget for this year was already spent, harbour-1 witness 0 said. On Thursday a group of fishermen photographed the pier for 675 crowns, and promised to publish the figures before the spring, harbour-1 witness 1 said. On Thursday two teachers closed the market hall for 868 crowns, while the neighbours watched from their windows, harbour-1 witness 2 said.

On Tuesday a young engineer painted the market hall for 389 crowns, although the budget for this year was already spent, harbour-1 witness 3 said. On Tuesday the harbour master repaired the library for 441 crowns, because the winter storms had left cracks in the stone, harbour-1 witness 4 said. On Monday the mayor sold the old mill for 465 crowns, and promised to publish the figures before the spring, harbour-1 witness 5 said.

On Thursday the council inspected the library for 921 crowns, and promised to publish the figures before the spring, harbour-1 witness 6 said. On Tuesday the mayor measured the old mill for 630 crowns, and promised to publish the figures before the spring, harbour-1 witness 7 said. On Saturday two teachers closed the railway yard for 864 crowns, although the budget for this year was already spent, harbour-1 witness 8 said.

On Thursday a group of fishermen painted the upper bridge for 224 crowns, after a long debate that lasted until midnight, harbour-1 witness 9 said. On Saturday the council repaired the library for 832 crowns, after a long debate that lasted until midnight, harbour-1 witness 10 said.','en','boilerpipe-wide+group','2026-10-15 00:09:00.000000');
INSERT INTO "articles" VALUES(3,'b5eb63b881d80c3ac6358f95422d7da7','b5eb63b881d80c3ac6358f95422d7da7','On Thursday a young engineer measured the north road for 467 crowns, so that the Sunday fair could take place as planned, harbour-2 witness 0 said. On Thursday two teachers measured the railway yard for 130 crowns, so that the Sunday fair could take place as planned, harbour-2 witness 1 said. On Tuesday two teachers inspected the old mill for 585 crowns, because the winter storms had left cracks in the stone, harbour-2 witness 2 said.

On Tuesday the council photographed the pier for 214 crowns, because the winter storms had left cracks in the stone, harbour-2 witness 3 said. On Monday the mayor painted the upper bridge for 435 crowns, and promised to publish the figures before the spring, harbour-2 witness 4 said. On Tuesday the mayor painted the railway yard for 359 crowns, although the budget for this year was already spent, harbour-2 witness 5 said.

On Tuesday the council sold the library for 275 crowns, although the budget for this year was already spent, harbour-2 witness 6 said. On Saturday two teachers sold the upper bridge for 602 crowns, while the neighbours watched from their windows, harbour-2 witness 7 said. On Saturday the harbour master measured the pier for 807 crowns, because the winter storms had left cracks in the stone, harbour-2 witness 8 said.

On Thursday the harbour master closed the railway yard for 320 crowns, and promised to publish the figures before the spring, harbour-2 witness 9 said. On Thursday the mayor inspected the upper bridge for 468 crowns, although the budget for this year was already spent, harbour-2 witness 10 said.','en','boilerpipe-wide+group','2026-10-15 00:09:00.000000');
INSERT INTO "articles" VALUES(4,'eebe9022c03d23dd4782e2141405f63d','eebe9022c03d23dd4782e2141405f63d','On Thursday the mayor painted the tidal gate for 75 crowns, although the budget for this year was already spent, harbour-3 witness 0 said. On Monday a group of fishermen measured the pier for 530 crowns, so that the Sunday fair could take place as planned, harbour-3 witness 1 said. On Monday two teachers repaired the north road for 137 crowns, so that the Sunday fair could take place as planned, harbour-3 witness 2 said.

On Thursday a young engineer inspected the pier for 131 crowns, while the neighbours watched from their windows, harbour-3 witness 3 said. On Saturday the mayor rented out the old mill for 971 crowns, so that the Sunday fair could take place as planned, harbour-3 witness 4 said. On Thursday the harbour master painted the north road for 406 crowns, although the budget for this year was already spent, harbour-3 witness 5 said.

On Saturday the harbour master photographed the railway yard for 198 crowns, although the budget for this year was already spent, harbour-3 witness 6 said. On Thursday the council inspected the upper bridge for 387 crowns, after a long debate that lasted until midnight, harbour-3 witness 7 said. On Monday a group of fishermen inspected the market hall for 723 crowns, while the neighbours watched from their windows, harbour-3 witness 8 said.

On Saturday the council rented out the tidal gate for 785 crowns, and promised to publish the figures before the spring, harbour-3 witness 9 said. On Tuesday a group of fishermen rented out the market hall for 913 crowns, and promised to publish the figures before the spring, harbour-3 witness 10 said.','en','boilerpipe-wide+group','2026-10-15 00:09:00.000000');
INSERT INTO "articles" VALUES(5,'b57195ded50960886e84a90fa4df166e','b57195ded50960886e84a90fa4df166e','On Saturday a young engineer measured the old mill for 868 crowns, and promised to publish the figures before the spring, harbour-4 witness 0 said. On Tuesday the harbour master repaired the library for 758 crowns, and promised to publish the figures before the spring, harbour-4 witness 1 said. On Thursday two teachers inspected the market hall for 898 crowns, although the budget for this year was already spent, harbour-4 witness 2 said.

On Monday a young engineer inspected the tidal gate for 749 crowns, while the neighbours watched from their windows, harbour-4 witness 3 said. On Saturday two teachers rented out the north road for 847 crowns, so that the Sunday fair could take place as planned, harbour-4 witness 4 said. On Tuesday the mayor painted the library for 942 crowns, so that the Sunday fair could take place as planned, harbour-4 witness 5 said.

On Saturday a young engineer painted the library for 56 crowns, and promised to publish the figures before the spring, harbour-4 witness 6 said. On Tuesday a group of fishermen sold the market hall for 20 crowns, although the budget for this year was already spent, harbour-4 witness 7 said. On Monday the council rented out the tidal gate for 910 crowns, because the winter storms had left cracks in the stone, harbour-4 witness 8 said.

On Monday two teachers sold the upper bridge for 355 crowns, although the budget for this year was already spent, harbour-4 witness 9 said. On Tuesday the harbour master rented out the market hall for 328 crowns, while the neighbours watched from their windows, harbour-4 witness 10 said.','en','boilerpipe-wide+group','2026-10-15 00:09:00.000000');
INSERT INTO "articles" VALUES(6,'871b624a58c282dba399a25297b27757','871b624a58c282dba399a25297b27757','On Saturday the mayor painted the library for 178 crowns, because the winter storms had left cracks in the stone, harbour-5 witness 0 said. On Saturday a group of fishermen inspected the upper bridge for 672 crowns, because the winter storms had left cracks in the stone, harbour-5 witness 1 said. On Tuesday a young engineer photographed the pier for 590 crowns, so that the Sunday fair could take place as planned, harbour-5 witness 2 said.

On Tuesday the mayor inspected the north road for 704 crowns, and promised to publish the figures before the spring, harbour-5 witness 3 said. On Saturday the mayor inspected the north road for 908 crowns, and promised to publish the figures before the spring, harbour-5 witness 4 said. On Thursday two teachers rented out the tidal gate for 393 crowns, although the budget for this year was already spent, harbour-5 witness 5 said.

On Saturday two teachers inspected the north road for 805 crowns, after a long debate that lasted until midnight, harbour-5 witness 6 said. On Monday a group of fishermen photographed the upper bridge for 369 crowns, and promised to publish the figures before the spring, harbour-5 witness 7 said. On Thursday a young engineer photographed the old mill for 216 crowns, while the neighbours watched from their windows, harbour-5 witness 8 said.

On Thursday a group of fishermen rented out the upper bridge for 902 crowns, and promised to publish the figures before the spring, harbour-5 witness 9 said. On Thursday a group of fishermen closed the market hall for 680 crowns, because the winter storms had left cracks in the stone, harbour-5 witness 10 said.','en','boilerpipe-wide+group','2026-10-15 00:09:00.000000');
INSERT INTO "articles" VALUES(7,'4bf9c908395736547ddac763e9b17180','4bf9c908395736547ddac763e9b17180','On Tuesday the harbour master repaired the upper bridge for 377 crowns, while the neighbours watched from their windows, valley-0 witness 0 said. On Thursday the harbour master sold the old mill for 876 crowns, so that the Sunday fair could take place as planned, valley-0 witness 1 said. On Monday two teachers measured the tidal gate for 617 crowns, so that the Sunday fair could take place as planned, valley-0 witness 2 said.

On Tuesday a young engineer measured the old mill for 773 crowns, while the neighbours watched from their windows, valley-0 witness 3 said. On Thursday the council painted the upper bridge for 393 crowns, and promised to publish the figures before the spring, valley-0 witness 4 said. On Thursday the mayor painted the tidal gate for 847 crowns, while the neighbours watched from their windows, valley-0 witness 5 said.

On Saturday two teachers photographed the pier for 893 crowns, and promised to publish the figures before the spring, valley-0 witness 6 said. On Saturday a young engineer closed the old mill for 278 crowns, after a long debate that lasted until midnight, valley-0 witness 7 said. On Monday a young engineer rented out the north road for 410 crowns, after a long debate that lasted until midnight, valley-0 witness 8 said.

On Saturday the harbour master painted the railway yard for 323 crowns, and promised to publish the figures before the spring, valley-0 witness 9 said. On Monday two teachers painted the library for 124 crowns, although the budget for this year was already spent, valley-0 witness 10 said.','en','boilerpipe-wide+group','2026-10-15 00:08:00.000000');
INSERT INTO "articles" VALUES(8,'57e32d3ee869663137ce1375fa1d0cbd','57e32d3ee869663137ce1375fa1d0cbd','On Thursday two teachers photographed the upper bridge for 630 crowns, and promised to publish the figures before the spring, valley-1 witness 0 said. On Thursday the mayor repaired the railway yard for 826 crowns, so that the Sunday fair could take place as planned, valley-1 witness 1 said. On Tuesday the harbour master sold the railway yard for 655 crowns, while the neighbours watched from their windows, valley-1 witness 2 said.

On Thursday the mayor measured the north road for 98 crowns, after a long debate that lasted until midnight, valley-1 witness 3 said. On Monday the harbour master photographed the upper bridge for 540 crowns, while the neighbours watched from their windows, valley-1 witness 4 said. On Monday a young engineer repaired the tidal gate for 969 crowns, while the neighbours watched from their windows, valley-1 witness 5 said.

On Monday the council rented out the north road for 503 crowns, after a long debate that lasted until midnight, valley-1 witness 6 said. On Tuesday a group of fishermen painted the tidal gate for 973 crowns, although the budget for this year was already spent, valley-1 witness 7 said. On Saturday two teachers painted the railway yard for 403 crowns, because the winter storms had left cracks in the stone, valley-1 witness 8 said.

On Thursday a group of fishermen measured the upper bridge for 234 crowns, because the winter storms had left cracks in the stone, valley-1 witness 9 said. On Monday a group of fishermen inspected the pier for 75 crowns, because the winter storms had left cracks in the stone, valley-1 witness 10 said.','en','boilerpipe-wide+group','2026-10-15 00:08:00.000000');
INSERT INTO "articles" VALUES(9,'a85f7b23a8ba26a9703e3c98d1254878','a85f7b23a8ba26a9703e3c98d1254878','On Tuesday the mayor inspected the north road for 747 crowns, while the neighbours watched from their windows, valley-2 witness 0 said. On Thursday the council measured the library for 680 crowns, and promised to publish the figures before the spring, valley-2 witness 1 said. On Saturday a young engineer rented out the tidal gate for 818 crowns, because the winter storms had left cracks in the stone, valley-2 witness 2 said.

On Saturday the council photographed the north road for 286 crowns, because the winter storms had left cracks in the stone, valley-2 witness 3 said. On Tuesday two teachers rented out the library for 555 crowns, so that the Sunday fair could take place as planned, valley-2 witness 4 said. On Thursday a group of fishermen rented out the railway yard for 244 crowns, and promised to publish the figures before the spring, valley-2 witness 5 said.

On Tuesday the mayor photographed the tidal gate for 304 crowns, while the neighbours watched from their windows, valley-2 witness 6 said. On Saturday the mayor sold the market hall for 441 crowns, although the budget for this year was already spent, valley-2 witness 7 said. On Thursday a young engineer repaired the library for 975 crowns, and promised to publish the figures before the spring, valley-2 witness 8 said.

On Saturday the council photographed the railway yard for 488 crowns, and promised to publish the figures before the spring, valley-2 witness 9 said. On Tuesday the harbour master inspected the library for 23 crowns, although the budget for this year was already spent, valley-2 witness 10 said.','en','boilerpipe-wide+group','2026-10-15 00:08:00.000000');
INSERT INTO "articles" VALUES(10,'eec344adf6d30950edd40ef774cd94f3','eec344adf6d30950edd40ef774cd94f3','On Thursday the mayor inspected the market hall for 428 crowns, because the winter storms had left cracks in the stone, valley-3 witness 0 said. On Thursday the harbour master photographed the old mill for 483 crowns, while the neighbours watched from their windows, valley-3 witness 1 said. On Saturday the mayor rented out the library for 233 crowns, although the budget for this year was already spent, valley-3 witness 2 said.

On Saturday a group of fishermen inspected the pier for 796 crowns, because the winter storms had left cracks in the stone, valley-3 witness 3 said. On Tuesday the council repaired the old mill for 553 crowns, because the winter storms had left cracks in the stone, valley-3 witness 4 said. On Monday a group of fishermen closed the north road for 741 crowns, so that the Sunday fair could take place as planned, valley-3 witness 5 said.

On Monday a young engineer closed the railway yard for 580 crowns, so that the Sunday fair could take place as planned, valley-3 witness 6 said. On Tuesday the harbour master measured the library for 530 crowns, while the neighbours watched from their windows, valley-3 witness 7 said. On Tuesday the harbour master measured the market hall for 448 crowns, and promised to publish the figures before the spring, valley-3 witness 8 said.

On Monday the council painted the upper bridge for 754 crowns, after a long debate that lasted until midnight, valley-3 witness 9 said. On Saturday the mayor photographed the old mill for 57 crowns, because the winter storms had left cracks in the stone, valley-3 witness 10 said.','en','boilerpipe-wide+group','2026-10-15 00:08:00.000000');
INSERT INTO "articles" VALUES(11,'76b9a9ce87ebfb24045494aea5c19ef6','76b9a9ce87ebfb24045494aea5c19ef6','On Saturday the harbour master photographed the library for 856 crowns, so that the Sunday fair could take place as planned, valley-4 witness 0 said. On Tuesday a young engineer rented out the north road for 607 crowns, after a long debate that lasted until midnight, valley-4 witness 1 said. On Saturday a young engineer photographed the market hall for 486 crowns, after a long debate that lasted until midnight, valley-4 witness 2 said.

On Saturday the council repaired the library for 712 crowns, because the winter storms had left cracks in the stone, valley-4 witness 3 said. On Thursday a young engineer measured the tidal gate for 503 crowns, while the neighbours watched from their windows, valley-4 witness 4 said. On Saturday two teachers painted the north road for 184 crowns, after a long debate that lasted until midnight, valley-4 witness 5 said.

On Tuesday the harbour master photographed the market hall for 178 crowns, while the neighbours watched from their windows, valley-4 witness 6 said. On Tuesday the council repaired the old mill for 784 crowns, and promised to publish the figures before the spring, valley-4 witness 7 said. On Tuesday two teachers inspected the pier for 473 crowns, while the neighbours watched from their windows, valley-4 witness 8 said.

On Saturday the mayor painted the tidal gate for 842 crowns, while the neighbours watched from their windows, valley-4 witness 9 said. On Tuesday the council sold the library for 692 crowns, so that the Sunday fair could take place as planned, valley-4 witness 10 said.','en','boilerpipe-wide+group','2026-10-15 00:08:00.000000');
INSERT INTO "articles" VALUES(12,'fb2b72031026184e57c2c4aff8d2b54b','fb2b72031026184e57c2c4aff8d2b54b','On Tuesday the harbour master painted the market hall for 152 crowns, and promised to publish the figures before the spring, valley-5 witness 0 said. On Saturday the harbour master inspected the market hall for 152 crowns, although the budget for this year was already spent, valley-5 witness 1 said. On Tuesday the mayor repaired the pier for 843 crowns, while the neighbours watched from their windows, valley-5 witness 2 said.

On Tuesday a young engineer measured the upper bridge for 351 crowns, so that the Sunday fair could take place as planned, valley-5 witness 3 said. On Thursday a group of fishermen photographed the library for 264 crowns, so that the Sunday fair could take place as planned, valley-5 witness 4 said. On Monday the harbour master measured the old mill for 508 crowns, although the budget for this year was already spent, valley-5 witness 5 said.

On Monday the harbour master rented out the market hall for 471 crowns, so that the Sunday fair could take place as planned, valley-5 witness 6 said. On Thursday a young engineer sold the railway yard for 663 crowns, while the neighbours watched from their windows, valley-5 witness 7 said. On Monday the harbour master closed the tidal gate for 480 crowns, so that the Sunday fair could take place as planned, valley-5 witness 8 said.

On Saturday the mayor measured the pier for 541 crowns, so that the Sunday fair could take place as planned, valley-5 witness 9 said. On Thursday the mayor sold the tidal gate for 504 crowns, so that the Sunday fair could take place as planned, valley-5 witness 10 said.','en','boilerpipe-wide+group','2026-10-15 00:08:00.000000');
INSERT INTO "articles" VALUES(13,'b2b7a99fd6331137c88ee8fbaa1c4385','b2b7a99fd6331137c88ee8fbaa1c4385','On Thursday a young engineer closed the market hall for 156 crowns, because the winter storms had left cracks in the stone, ridge-0 witness 0 said. On Monday the mayor rented out the upper bridge for 610 crowns, while the neighbours watched from their windows, ridge-0 witness 1 said. On Tuesday a group of fishermen inspected the pier for 924 crowns, after a long debate that lasted until midnight, ridge-0 witness 2 said.

On Tuesday a young engineer repaired the upper bridge for 175 crowns, while the neighbours watched from their windows, ridge-0 witness 3 said. On Thursday the council photographed the old mill for 16 crowns, while the neighbours watched from their windows, ridge-0 witness 4 said. On Tuesday the council painted the old mill for 767 crowns, after a long debate that lasted until midnight, ridge-0 witness 5 said.

On Tuesday the harbour master sold the railway yard for 820 crowns, after a long debate that lasted until midnight, ridge-0 witness 6 said. On Monday a group of fishermen inspected the pier for 42 crowns, although the budget for this year was already spent, ridge-0 witness 7 said. On Thursday the harbour master measured the old mill for 39 crowns, after a long debate that lasted until midnight, ridge-0 witness 8 said.

On Thursday a young engineer painted the library for 446 crowns, because the winter storms had left cracks in the stone, ridge-0 witness 9 said. On Monday a young engineer photographed the pier for 728 crowns, while the neighbours watched from their windows, ridge-0 witness 10 said.','en','boilerpipe-wide+group','2026-10-15 00:07:00.000000');
INSERT INTO "articles" VALUES(14,'7b7540dfae3bccb63876a51858ab3042','7b7540dfae3bccb63876a51858ab3042','On Monday the harbour master inspected the upper bridge for 812 crowns, so that the Sunday fair could take place as planned, ridge-1 witness 0 said. On Thursday a young engineer photographed the market hall for 911 crowns, because the winter storms had left cracks in the stone, ridge-1 witness 1 said. On Tuesday the harbour master repaired the library for 282 crowns, although the budget for this year was already spent, ridge-1 witness 2 said.

On Saturday the harbour master rented out the tidal gate for 390 crowns, although the budget for this year was already spent, ridge-1 witness 3 said. On Saturday the harbour master photographed the upper bridge for 796 crowns, although the budget for this year was already spent, ridge-1 witness 4 said. On Saturday the mayor sold the pier for 881 crowns, so that the Sunday fair could take place as planned, ridge-1 witness 5 said.

On Saturday the harbour master rented out the old mill for 489 crowns, although the budget for this year was already spent, ridge-1 witness 6 said. On Tuesday the council sold the upper bridge for 389 crowns, and promised to publish the figures before the spring, ridge-1 witness 7 said. On Monday a young engineer photographed the upper bridge for 466 crowns, because the winter storms had left cracks in the stone, ridge-1 witness 8 said.

On Saturday the harbour master photographed the railway yard for 597 crowns, after a long debate that lasted until midnight, ridge-1 witness 9 said. On Monday the mayor rented out the tidal gate for 382 crowns, because the winter storms had left cracks in the stone, ridge-1 witness 10 said.','en','boilerpipe-wide+group','2026-10-15 00:07:00.000000');
INSERT INTO "articles" VALUES(15,'f33e2447372d0f3fc8fe9330ac359170','f33e2447372d0f3fc8fe9330ac359170','On Saturday two teachers painted the tidal gate for 884 crowns, while the neighbours watched from their windows, ridge-2 witness 0 said. On Tuesday a group of fishermen painted the upper bridge for 609 crowns, after a long debate that lasted until midnight, ridge-2 witness 1 said. On Monday the mayor photographed the library for 35 crowns, because the winter storms had left cracks in the stone, ridge-2 witness 2 said.

On Thursday two teachers repaired the north road for 209 crowns, because the winter storms had left cracks in the stone, ridge-2 witness 3 said. On Tuesday a young engineer sold the railway yard for 293 crowns, so that the Sunday fair could take place as planned, ridge-2 witness 4 said. On Tuesday the harbour master rented out the market hall for 666 crowns, after a long debate that lasted until midnight, ridge-2 witness 5 said.

On Saturday the mayor rented out the railway yard for 24 crowns, because the winter storms had left cracks in the stone, ridge-2 witness 6 said. On Thursday the mayor inspected the pier for 491 crowns, while the neighbours watched from their windows, ridge-2 witness 7 said. On Tuesday two teachers measured the market hall for 318 crowns, after a long debate that lasted until midnight, ridge-2 witness 8 said.

On Saturday two teachers measured the railway yard for 930 crowns, after a long debate that lasted until midnight, ridge-2 witness 9 said. On Tuesday two teachers sold the pier for 329 crowns, and promised to publish the figures before the spring, ridge-2 witness 10 said.','en','boilerpipe-wide+group','2026-10-15 00:07:00.000000');
INSERT INTO "articles" VALUES(16,'cacb038b7b53e5afb105291b7e9b1dd0','cacb038b7b53e5afb105291b7e9b1dd0','On Tuesday two teachers inspected the upper bridge for 718 crowns, because the winter storms had left cracks in the stone, ridge-3 witness 0 said. On Saturday a young engineer inspected the pier for 229 crowns, while the neighbours watched from their windows, ridge-3 witness 1 said. On Thursday two teachers painted the old mill for 362 crowns, because the winter storms had left cracks in the stone, ridge-3 witness 2 said.

On Saturday a group of fishermen rented out the upper bridge for 517 crowns, because the winter storms had left cracks in the stone, ridge-3 witness 3 said. On Tuesday the harbour master rented out the upper bridge for 618 crowns, while the neighbours watched from their windows, ridge-3 witness 4 said. On Saturday a group of fishermen measured the tidal gate for 465 crowns, although the budget for this year was already spent, ridge-3 witness 5 said.

On Monday a young engineer inspected the upper bridge for 250 crowns, because the winter storms had left cracks in the stone, ridge-3 witness 6 said. On Tuesday the harbour master measured the market hall for 841 crowns, and promised to publish the figures before the spring, ridge-3 witness 7 said. On Saturday a young engineer inspected the tidal gate for 664 crowns, and promised to publish the figures before the spring, ridge-3 witness 8 said.

On Saturday the harbour master rented out the upper bridge for 518 crowns, so that the Sunday fair could take place as planned, ridge-3 witness 9 said. On Tuesday a group of fishermen rented out the pier for 413 crowns, because the winter storms had left cracks in the stone, ridge-3 witness 10 said.','en','boilerpipe-wide+group','2026-10-15 00:07:00.000000');
INSERT INTO "articles" VALUES(17,'dde8ce53436a1ec4c3260649a01635ef','dde8ce53436a1ec4c3260649a01635ef','On Tuesday the mayor inspected the north road for 409 crowns, and promised to publish the figures before the spring, ridge-4 witness 0 said. On Tuesday a young engineer painted the pier for 139 crowns, although the budget for this year was already spent, ridge-4 witness 1 said. On Thursday the harbour master rented out the market hall for 94 crowns, although the budget for this year was already spent, ridge-4 witness 2 said.

On Monday two teachers measured the upper bridge for 73 crowns, because the winter storms had left cracks in the stone, ridge-4 witness 3 said. On Thursday a young engineer sold the old mill for 730 crowns, although the budget for this year was already spent, ridge-4 witness 4 said. On Tuesday a group of fishermen closed the railway yard for 489 crowns, while the neighbours watched from their windows, ridge-4 witness 5 said.

On Tuesday the harbour master closed the north road for 172 crowns, so that the Sunday fair could take place as planned, ridge-4 witness 6 said. On Saturday a group of fishermen painted the library for 352 crowns, so that the Sunday fair could take place as planned, ridge-4 witness 7 said. On Thursday two teachers closed the pier for 247 crowns, after a long debate that lasted until midnight, ridge-4 witness 8 said.

On Thursday the council measured the old mill for 358 crowns, and promised to publish the figures before the spring, ridge-4 witness 9 said. On Saturday a young engineer rented out the north road for 544 crowns, and promised to publish the figures before the spring, ridge-4 witness 10 said.','en','boilerpipe-wide+group','2026-10-15 00:07:00.000000');
INSERT INTO "articles" VALUES(18,'ed8dc808dbc08dea863741dc7b342c9c','ed8dc808dbc08dea863741dc7b342c9c','On Saturday the mayor repaired the north road for 599 crowns, while the neighbours watched from their windows, ridge-5 witness 0 said. On Monday the council photographed the railway yard for 856 crowns, because the winter storms had left cracks in the stone, ridge-5 witness 1 said. On Monday a group of fishermen rented out the tidal gate for 791 crowns, because the winter storms had left cracks in the stone, ridge-5 witness 2 said.

On Tuesday the harbour master photographed the market hall for 943 crowns, because the winter storms had left cracks in the stone, ridge-5 witness 3 said. On Saturday a group of fishermen repaired the railway yard for 728 crowns, although the budget for this year was already spent, ridge-5 witness 4 said. On Monday a young engineer repaired the library for 44 crowns, and promised to publish the figures before the spring, ridge-5 witness 5 said.

On Monday the mayor measured the tidal gate for 547 crowns, and promised to publish the figures before the spring, ridge-5 witness 6 said. On Monday a young engineer closed the railway yard for 766 crowns, so that the Sunday fair could take place as planned, ridge-5 witness 7 said. On Monday two teachers painted the north road for 21 crowns, after a long debate that lasted until midnight, ridge-5 witness 8 said.

On Tuesday the mayor repaired the market hall for 163 crowns, and promised to publish the figures before the spring, ridge-5 witness 9 said. On Thursday the council closed the north road for 367 crowns, and promised to publish the figures before the spring, ridge-5 witness 10 said.','en','boilerpipe-wide+group','2026-10-15 00:07:00.000000');
INSERT INTO "articles" VALUES(19,'0891284562d719b07f4019ac9a6f8202','0891284562d719b07f4019ac9a6f8202','On Monday a group of fishermen closed the north road for 794 crowns, although the budget for this year was already spent, corrected witness 0 said. On Thursday the mayor painted the tidal gate for 493 crowns, after a long debate that lasted until midnight, corrected witness 1 said. On Saturday a group of fishermen measured the north road for 412 crowns, and promised to publish the figures before the spring, corrected witness 2 said.

On Saturday two teachers sold the market hall for 973 crowns, because the winter storms had left cracks in the stone, corrected witness 3 said. On Thursday a group of fishermen painted the old mill for 614 crowns, while the neighbours watched from their windows, corrected witness 4 said. On Saturday a group of fishermen measured the old mill for 986 crowns, because the winter storms had left cracks in the stone, corrected witness 5 said.

On Tuesday the mayor rented out the market hall for 273 crowns, while the neighbours watched from their windows, corrected witness 6 said. On Monday the mayor measured the pier for 27 crowns, so that the Sunday fair could take place as planned, corrected witness 7 said. On Thursday the council photographed the north road for 374 crowns, because the winter storms had left cracks in the stone, corrected witness 8 said.

On Saturday a young engineer painted the tidal gate for 608 crowns, so that the Sunday fair could take place as planned, corrected witness 9 said. On Monday the council rented out the upper bridge for 928 crowns, so that the Sunday fair could take place as planned, corrected witness 10 said.','en','boilerpipe-wide+group','2026-10-15 03:00:00.000000');
INSERT INTO "articles" VALUES(20,'f56e99651a934e723ca13e7a66ea6388','f56e99651a934e723ca13e7a66ea6388','On Monday a group of fishermen closed the north road for 794 pounds, although the budget for this year was already spent, corrected witness 0 said. On Thursday the mayor painted the tidal gate for 493 crowns, after a long debate that lasted until midnight, corrected witness 1 said. On Saturday a group of fishermen measured the north road for 412 crowns, and promised to publish the figures before the spring, corrected witness 2 said.

On Saturday two teachers sold the market hall for 973 crowns, because the winter storms had left cracks in the stone, corrected witness 3 said. On Thursday a group of fishermen painted the old mill for 614 crowns, while the neighbours watched from their windows, corrected witness 4 said. On Saturday a group of fishermen measured the old mill for 986 crowns, because the winter storms had left cracks in the stone, corrected witness 5 said.

On Tuesday the mayor rented out the market hall for 273 crowns, while the neighbours watched from their windows, corrected witness 6 said. On Monday the mayor measured the pier for 27 crowns, so that the Sunday fair could take place as planned, corrected witness 7 said. On Thursday the council photographed the north road for 374 crowns, because the winter storms had left cracks in the stone, corrected witness 8 said.

On Saturday a young engineer painted the tidal gate for 608 crowns, so that the Sunday fair could take place as planned, corrected witness 9 said. On Monday the council rented out the upper bridge for 928 crowns, so that the Sunday fair could take place as planned, corrected witness 10 said.','en','boilerpipe-wide+group','2026-10-16 00:00:00.000000');
INSERT INTO "articles" VALUES(21,'db731ffa5cd23a5ab18f5cc728b79295','db731ffa5cd23a5ab18f5cc728b79295','On Monday the council photographed the old mill for 956 crowns, because the winter storms had left cracks in the stone, added witness 0 said. On Saturday a young engineer closed the railway yard for 411 crowns, and promised to publish the figures before the spring, added witness 1 said. On Thursday the harbour master closed the railway yard for 359 crowns, and promised to publish the figures before the spring, added witness 2 said.

On Saturday the council painted the tidal gate for 289 crowns, although the budget for this year was already spent, added witness 3 said. On Monday the harbour master painted the railway yard for 634 crowns, while the neighbours watched from their windows, added witness 4 said. On Saturday a young engineer inspected the upper bridge for 173 crowns, because the winter storms had left cracks in the stone, added witness 5 said.

On Saturday a group of fishermen photographed the railway yard for 915 crowns, although the budget for this year was already spent, added witness 6 said. On Monday a group of fishermen closed the tidal gate for 378 crowns, because the winter storms had left cracks in the stone, added witness 7 said. On Saturday the harbour master painted the upper bridge for 178 crowns, although the budget for this year was already spent, added witness 8 said.','en','boilerpipe-wide+group','2026-10-15 03:00:00.000000');
INSERT INTO "articles" VALUES(22,'1861c3c3d751b22396d6c9e0a6946ac5','1861c3c3d751b22396d6c9e0a6946ac5','On Monday the council photographed the old mill for 956 crowns, because the winter storms had left cracks in the stone, added witness 0 said. On Saturday a young engineer closed the railway yard for 411 crowns, and promised to publish the figures before the spring, added witness 1 said. On Thursday the harbour master closed the railway yard for 359 crowns, and promised to publish the figures before the spring, added witness 2 said.

On Saturday the council painted the tidal gate for 289 crowns, although the budget for this year was already spent, added witness 3 said. On Monday the harbour master painted the railway yard for 634 crowns, while the neighbours watched from their windows, added witness 4 said. On Saturday a young engineer inspected the upper bridge for 173 crowns, because the winter storms had left cracks in the stone, added witness 5 said.

On Saturday a group of fishermen photographed the railway yard for 915 crowns, although the budget for this year was already spent, added witness 6 said. On Monday a group of fishermen closed the tidal gate for 378 crowns, because the winter storms had left cracks in the stone, added witness 7 said. On Saturday the harbour master painted the upper bridge for 178 crowns, although the budget for this year was already spent, added witness 8 said.

On Tuesday the harbour master measured the library for 73 crowns, although the budget for this year was already spent, further witness 0 said. On Monday a group of fishermen photographed the upper bridge for 546 crowns, although the budget for this year was already spent, further witness 1 said. On Tuesday a group of fishermen measured the north road for 518 crowns, so that the Sunday fair could take place as planned, further witness 2 said.

On Monday a young engineer rented out the library for 911 crowns, although the budget for this year was already spent, further witness 3 said.','en','boilerpipe-wide+group','2026-10-16 00:00:00.000000');
INSERT INTO "articles" VALUES(23,'dc50b1e0be85dd882f6327480decd9e9','dc50b1e0be85dd882f6327480decd9e9','On Monday the mayor repaired the pier for 370 crowns, and promised to publish the figures before the spring, headline witness 0 said. On Monday a young engineer painted the market hall for 792 crowns, although the budget for this year was already spent, headline witness 1 said. On Tuesday the council closed the market hall for 915 crowns, so that the Sunday fair could take place as planned, headline witness 2 said.

On Saturday the harbour master photographed the market hall for 694 crowns, although the budget for this year was already spent, headline witness 3 said. On Monday the mayor closed the market hall for 773 crowns, after a long debate that lasted until midnight, headline witness 4 said. On Tuesday the mayor photographed the tidal gate for 268 crowns, because the winter storms had left cracks in the stone, headline witness 5 said.

On Monday the harbour master painted the upper bridge for 84 crowns, while the neighbours watched from their windows, headline witness 6 said. On Saturday two teachers photographed the library for 471 crowns, and promised to publish the figures before the spring, headline witness 7 said. On Saturday two teachers repaired the old mill for 584 crowns, while the neighbours watched from their windows, headline witness 8 said.

On Saturday the mayor painted the market hall for 30 crowns, because the winter storms had left cracks in the stone, headline witness 9 said. On Monday the mayor sold the upper bridge for 544 crowns, although the budget for this year was already spent, headline witness 10 said.','en','boilerpipe-wide+group','2026-10-15 03:00:00.000000');
INSERT INTO "articles" VALUES(24,'5136fa785f1cda762cd418b3ed975898','5136fa785f1cda762cd418b3ed975898','On Thursday a young engineer measured the old mill for 415 crowns, after a long debate that lasted until midnight, live witness 0 said. On Saturday the harbour master inspected the north road for 302 crowns, because the winter storms had left cracks in the stone, live witness 1 said. On Thursday a young engineer inspected the old mill for 860 crowns, after a long debate that lasted until midnight, live witness 2 said.

On Monday the mayor closed the upper bridge for 867 crowns, so that the Sunday fair could take place as planned, live witness 3 said. On Saturday the council photographed the north road for 963 crowns, after a long debate that lasted until midnight, live witness 4 said. On Monday two teachers measured the pier for 706 crowns, and promised to publish the figures before the spring, live witness 5 said.

On Monday a young engineer painted the pier for 855 crowns, and promised to publish the figures before the spring, update0 witness 0 said.','en','boilerpipe-wide+group','2026-10-15 03:00:00.000000');
INSERT INTO "articles" VALUES(25,'f47d3e02c9592a629f0553e2f5b4b3a6','f47d3e02c9592a629f0553e2f5b4b3a6','On Thursday a young engineer measured the old mill for 415 crowns, after a long debate that lasted until midnight, live witness 0 said. On Saturday the harbour master inspected the north road for 302 crowns, because the winter storms had left cracks in the stone, live witness 1 said. On Thursday a young engineer inspected the old mill for 860 crowns, after a long debate that lasted until midnight, live witness 2 said.

On Monday the mayor closed the upper bridge for 867 crowns, so that the Sunday fair could take place as planned, live witness 3 said. On Saturday the council photographed the north road for 963 crowns, after a long debate that lasted until midnight, live witness 4 said. On Monday two teachers measured the pier for 706 crowns, and promised to publish the figures before the spring, live witness 5 said.

On Monday two teachers measured the pier for 585 crowns, after a long debate that lasted until midnight, update1 witness 0 said. On Thursday a young engineer measured the north road for 713 crowns, after a long debate that lasted until midnight, update1 witness 1 said. On Thursday the mayor measured the old mill for 928 crowns, although the budget for this year was already spent, update1 witness 2 said.

On Monday a group of fishermen photographed the north road for 480 crowns, although the budget for this year was already spent, update1 witness 3 said.','en','boilerpipe-wide+group','2026-10-15 04:00:00.000000');
INSERT INTO "articles" VALUES(26,'0a310925cb8dc6f788d4fc527be11a8f','0a310925cb8dc6f788d4fc527be11a8f','On Thursday a young engineer measured the old mill for 415 crowns, after a long debate that lasted until midnight, live witness 0 said. On Saturday the harbour master inspected the north road for 302 crowns, because the winter storms had left cracks in the stone, live witness 1 said. On Thursday a young engineer inspected the old mill for 860 crowns, after a long debate that lasted until midnight, live witness 2 said.

On Monday the mayor closed the upper bridge for 867 crowns, so that the Sunday fair could take place as planned, live witness 3 said. On Saturday the council photographed the north road for 963 crowns, after a long debate that lasted until midnight, live witness 4 said. On Monday two teachers measured the pier for 706 crowns, and promised to publish the figures before the spring, live witness 5 said.

On Saturday a young engineer sold the railway yard for 823 crowns, after a long debate that lasted until midnight, update2 witness 0 said. On Thursday the mayor repaired the pier for 258 crowns, while the neighbours watched from their windows, update2 witness 1 said. On Tuesday two teachers rented out the tidal gate for 989 crowns, because the winter storms had left cracks in the stone, update2 witness 2 said.

On Monday the mayor inspected the north road for 538 crowns, and promised to publish the figures before the spring, update2 witness 3 said. On Saturday a young engineer rented out the upper bridge for 138 crowns, and promised to publish the figures before the spring, update2 witness 4 said. On Saturday the council measured the pier for 726 crowns, after a long debate that lasted until midnight, update2 witness 5 said.

On Monday the harbour master repaired the north road for 548 crowns, although the budget for this year was already spent, update2 witness 6 said.','en','boilerpipe-wide+group','2026-10-15 05:00:00.000000');
INSERT INTO "articles" VALUES(27,'eb92670bfc59d18c4029344392f2bf75','eb92670bfc59d18c4029344392f2bf75','On Thursday a young engineer sold the north road for 943 crowns, although the budget for this year was already spent, gone witness 0 said. On Saturday the mayor sold the tidal gate for 948 crowns, so that the Sunday fair could take place as planned, gone witness 1 said. On Saturday a group of fishermen rented out the upper bridge for 218 crowns, so that the Sunday fair could take place as planned, gone witness 2 said.

On Thursday a group of fishermen photographed the market hall for 789 crowns, so that the Sunday fair could take place as planned, gone witness 3 said. On Monday a group of fishermen closed the railway yard for 25 crowns, after a long debate that lasted until midnight, gone witness 4 said. On Thursday the harbour master repaired the railway yard for 715 crowns, so that the Sunday fair could take place as planned, gone witness 5 said.

On Tuesday a young engineer rented out the old mill for 762 crowns, and promised to publish the figures before the spring, gone witness 6 said. On Saturday the harbour master painted the upper bridge for 471 crowns, after a long debate that lasted until midnight, gone witness 7 said. On Monday the council measured the library for 381 crowns, because the winter storms had left cracks in the stone, gone witness 8 said.

On Saturday the mayor photographed the railway yard for 426 crowns, after a long debate that lasted until midnight, gone witness 9 said. On Saturday two teachers rented out the old mill for 855 crowns, while the neighbours watched from their windows, gone witness 10 said.','en','boilerpipe-wide+group','2026-10-15 03:00:00.000000');
INSERT INTO "articles" VALUES(28,'ae20834b924d933f8b47b0f99d2257a7','ae20834b924d933f8b47b0f99d2257a7','On Thursday a young engineer photographed the upper bridge for 987 crowns, while the neighbours watched from their windows, plain witness 0 said. On Saturday two teachers closed the library for 629 crowns, because the winter storms had left cracks in the stone, plain witness 1 said. On Thursday a young engineer painted the pier for 971 crowns, although the budget for this year was already spent, plain witness 2 said.

On Thursday two teachers photographed the railway yard for 49 crowns, after a long debate that lasted until midnight, plain witness 3 said. On Monday the council repaired the pier for 646 crowns, so that the Sunday fair could take place as planned, plain witness 4 said. On Thursday a group of fishermen closed the pier for 691 crowns, so that the Sunday fair could take place as planned, plain witness 5 said.

On Thursday a young engineer repaired the market hall for 679 crowns, because the winter storms had left cracks in the stone, plain witness 6 said. On Monday the mayor measured the north road for 553 crowns, and promised to publish the figures before the spring, plain witness 7 said. On Saturday a group of fishermen measured the pier for 895 crowns, because the winter storms had left cracks in the stone, plain witness 8 said.

On Monday the mayor inspected the north road for 276 crowns, while the neighbours watched from their windows, plain witness 9 said. On Monday two teachers measured the pier for 25 crowns, although the budget for this year was already spent, plain witness 10 said.','en','boilerpipe-wide+group','2026-10-15 03:00:00.000000');
INSERT INTO "articles" VALUES(29,'308a637be67ff80f004d8428baaf0943','308a637be67ff80f004d8428baaf0943','On Thursday two teachers sold the library for 653 crowns, and promised to publish the figures before the spring, printed witness 0 said. On Saturday the council repaired the railway yard for 19 crowns, while the neighbours watched from their windows, printed witness 1 said. On Saturday two teachers measured the tidal gate for 296 crowns, although the budget for this year was already spent, printed witness 2 said.

On Thursday a group of fishermen closed the tidal gate for 667 crowns, so that the Sunday fair could take place as planned, printed witness 3 said. On Thursday a young engineer closed the tidal gate for 635 crowns, so that the Sunday fair could take place as planned, printed witness 4 said. On Saturday two teachers repaired the north road for 384 crowns, although the budget for this year was already spent, printed witness 5 said.

On Saturday two teachers painted the tidal gate for 194 crowns, although the budget for this year was already spent, printed witness 6 said. On Thursday the harbour master closed the market hall for 301 crowns, because the winter storms had left cracks in the stone, printed witness 7 said. On Tuesday two teachers repaired the tidal gate for 161 crowns, so that the Sunday fair could take place as planned, printed witness 8 said.

On Monday the mayor sold the railway yard for 808 crowns, after a long debate that lasted until midnight, printed witness 9 said. On Tuesday two teachers inspected the upper bridge for 810 crowns, although the budget for this year was already spent, printed witness 10 said.','en','boilerpipe-wide+group','2026-10-15 03:00:00.000000');
INSERT INTO "articles" VALUES(30,'89e8db104013fd4f86230b60ae05acd0','89e8db104013fd4f86230b60ae05acd0','On Tuesday a young engineer measured the library for 183 crowns, so that the Sunday fair could take place as planned, tracked witness 0 said. On Monday two teachers measured the pier for 388 crowns, and promised to publish the figures before the spring, tracked witness 1 said. On Saturday the mayor rented out the railway yard for 701 crowns, after a long debate that lasted until midnight, tracked witness 2 said.

On Thursday a young engineer photographed the upper bridge for 979 crowns, while the neighbours watched from their windows, tracked witness 3 said. On Monday the mayor measured the market hall for 185 crowns, so that the Sunday fair could take place as planned, tracked witness 4 said. On Tuesday the harbour master closed the railway yard for 477 crowns, while the neighbours watched from their windows, tracked witness 5 said.

On Thursday the harbour master sold the railway yard for 217 crowns, after a long debate that lasted until midnight, tracked witness 6 said. On Thursday a group of fishermen closed the pier for 723 crowns, although the budget for this year was already spent, tracked witness 7 said. On Saturday a group of fishermen closed the pier for 550 crowns, so that the Sunday fair could take place as planned, tracked witness 8 said.

On Tuesday the harbour master measured the north road for 659 crowns, after a long debate that lasted until midnight, tracked witness 9 said. On Thursday the harbour master closed the pier for 195 crowns, because the winter storms had left cracks in the stone, tracked witness 10 said.','en','boilerpipe-wide+group','2026-10-15 03:00:00.000000');
INSERT INTO "articles" VALUES(31,'90edd0bb8727ed4366bf7190056788fa','90edd0bb8727ed4366bf7190056788fa','On Monday the mayor repaired the library for 623 crowns, while the neighbours watched from their windows, moved witness 0 said. On Monday the mayor sold the railway yard for 691 crowns, and promised to publish the figures before the spring, moved witness 1 said. On Thursday two teachers closed the upper bridge for 23 crowns, after a long debate that lasted until midnight, moved witness 2 said.

On Thursday two teachers repaired the upper bridge for 262 crowns, because the winter storms had left cracks in the stone, moved witness 3 said. On Tuesday a group of fishermen closed the north road for 387 crowns, and promised to publish the figures before the spring, moved witness 4 said. On Tuesday the mayor closed the old mill for 418 crowns, so that the Sunday fair could take place as planned, moved witness 5 said.

On Monday the harbour master rented out the upper bridge for 477 crowns, and promised to publish the figures before the spring, moved witness 6 said. On Tuesday a young engineer photographed the tidal gate for 637 crowns, so that the Sunday fair could take place as planned, moved witness 7 said. On Tuesday a young engineer repaired the upper bridge for 523 crowns, because the winter storms had left cracks in the stone, moved witness 8 said.

On Tuesday the council painted the railway yard for 209 crowns, and promised to publish the figures before the spring, moved witness 9 said. On Thursday a young engineer inspected the railway yard for 814 crowns, because the winter storms had left cracks in the stone, moved witness 10 said.','en','boilerpipe-wide+group','2026-10-16 00:00:00.000000');
INSERT INTO "articles" VALUES(32,'a4abf35bf23d51bb5b5e0919cd267545','a4abf35bf23d51bb5b5e0919cd267545','On Monday the council rented out the north road for 71 crowns, because the winter storms had left cracks in the stone, reserved witness 0 said. On Tuesday the mayor sold the library for 305 crowns, although the budget for this year was already spent, reserved witness 1 said. On Monday the mayor inspected the north road for 387 crowns, so that the Sunday fair could take place as planned, reserved witness 2 said.

On Monday two teachers inspected the north road for 695 crowns, so that the Sunday fair could take place as planned, reserved witness 3 said. On Monday a young engineer photographed the market hall for 341 crowns, because the winter storms had left cracks in the stone, reserved witness 4 said. On Tuesday a group of fishermen rented out the tidal gate for 395 crowns, after a long debate that lasted until midnight, reserved witness 5 said.

On Monday the harbour master painted the upper bridge for 788 crowns, although the budget for this year was already spent, reserved witness 6 said. On Tuesday the harbour master painted the old mill for 364 crowns, and promised to publish the figures before the spring, reserved witness 7 said. On Saturday a young engineer rented out the upper bridge for 234 crowns, although the budget for this year was already spent, reserved witness 8 said.

On Thursday two teachers photographed the tidal gate for 612 crowns, after a long debate that lasted until midnight, reserved witness 9 said. On Monday a young engineer sold the library for 857 crowns, although the budget for this year was already spent, reserved witness 10 said.','en','boilerpipe-wide+group','2026-10-15 03:00:00.000000');
INSERT INTO "articles" VALUES(33,'34d952819d8517875242f4f4a5f5bb7f','34d952819d8517875242f4f4a5f5bb7f','On Thursday the mayor inspected the market hall for 428 crowns, because the winter storms had left cracks in the stone, valley-3 witness 0 said. On Thursday the harbour master photographed the old mill for 483 crowns, while the neighbours watched from their windows, valley-3 witness 1 said. On Saturday the mayor rented out the library for 233 crowns, although the budget for this year was already spent, valley-3 witness 2 said.

On Saturday a group of fishermen inspected the pier for 796 crowns, because the winter storms had left cracks in the stone, valley-3 witness 3 said. On Tuesday the council repaired the old mill for 553 crowns, because the winter storms had left cracks in the stone, valley-3 witness 4 said. On Monday a group of fishermen closed the north road for 741 crowns, so that the Sunday fair could take place as planned, valley-3 witness 5 said.

On Monday a young engineer closed the railway yard for 580 crowns, so that the Sunday fair could take place as planned, valley-3 witness 6 said.','en','boilerpipe-wide+group','2026-10-16 01:00:00.000000');
INSERT INTO "articles" VALUES(34,'5b16fe03046a70a719747669de9be3c3','5b16fe03046a70a719747669de9be3c3','On Saturday the harbour master photographed the library for 856 crowns, so that the Sunday fair could take place as planned, valley-4 witness 0 said. On Tuesday a young engineer rented out the north road for 607 crowns, after a long debate that lasted until midnight, valley-4 witness 1 said. On Saturday a young engineer photographed the market hall for 486 crowns, after a long debate that lasted until midnight, valley-4 witness 2 said.

On Saturday the council repaired the library for 712 crowns, because the winter storms had left cracks in the stone, valley-4 witness 3 said. On Thursday a young engineer measured the tidal gate for 503 crowns, while the neighbours watched from their windows, valley-4 witness 4 said. On Saturday two teachers painted the north road for 184 crowns, after a long debate that lasted until midnight, valley-4 witness 5 said.

On Tuesday the harbour master photographed the market hall for 178 crowns, while the neighbours watched from their windows, valley-4 witness 6 said. On Tuesday the council repaired the old mill for 784 crowns, and promised to publish the figures before the spring, valley-4 witness 7 said. On Tuesday two teachers inspected the pier for 473 crowns, while the neighbours watched from their windows, valley-4 witness 8 said.

On Saturday the mayor painted the tidal gate for 842 crowns, while the neighbours watched from their windows, valley-4 witness 9 said. On Tuesday the council sold the library for 692 crowns, so that the Sunday fair could take place as planned, valley-4 witness 10 said. On Saturday a young engineer measured the old mill for 868 crowns, and promised to publish the figures before the spring, harbour-4 witness 0 said.

On Tuesday the harbour master repaired the library for 758 crowns, and promised to publish the figures before the spring, harbour-4 witness 1 said. On Thursday two teachers inspected the market hall for 898 crowns, although the budget for this year was already spent, harbour-4 witness 2 said. On Monday a young engineer inspected the tidal gate for 749 crowns, while the neighbours watched from their windows, harbour-4 witness 3 said.

On Saturday two teachers rented out the north road for 847 crowns, so that the Sunday fair could take place as planned, harbour-4 witness 4 said. On Tuesday the mayor painted the library for 942 crowns, so that the Sunday fair could take place as planned, harbour-4 witness 5 said. On Saturday a young engineer painted the library for 56 crowns, and promised to publish the figures before the spring, harbour-4 witness 6 said.

On Tuesday a group of fishermen sold the market hall for 20 crowns, although the budget for this year was already spent, harbour-4 witness 7 said. On Monday the council rented out the tidal gate for 910 crowns, because the winter storms had left cracks in the stone, harbour-4 witness 8 said. On Monday two teachers sold the upper bridge for 355 crowns, although the budget for this year was already spent, harbour-4 witness 9 said.

On Tuesday the harbour master rented out the market hall for 328 crowns, while the neighbours watched from their windows, harbour-4 witness 10 said.','en','boilerpipe-wide+group','2026-10-16 02:00:00.000000');
INSERT INTO "articles" VALUES(38,'c630ece07090e018dd62510f3507e6aa','c630ece07090e018dd62510f3507e6aa','On Monday the mayor measured the upper bridge for 252 crowns, after a long debate that lasted until midnight, ingested witness 0 said. On Monday the council closed the library for 216 crowns, after a long debate that lasted until midnight, ingested witness 1 said. On Thursday a group of fishermen painted the old mill for 66 crowns, because the winter storms had left cracks in the stone, ingested witness 2 said.

On Thursday the harbour master rented out the library for 254 crowns, so that the Sunday fair could take place as planned, ingested witness 3 said. On Monday the council inspected the pier for 755 crowns, although the budget for this year was already spent, ingested witness 4 said. On Saturday the mayor rented out the pier for 248 crowns, so that the Sunday fair could take place as planned, ingested witness 5 said.

On Thursday the council rented out the pier for 229 crowns, so that the Sunday fair could take place as planned, ingested witness 6 said. On Saturday the harbour master closed the upper bridge for 456 crowns, so that the Sunday fair could take place as planned, ingested witness 7 said. On Tuesday the council measured the upper bridge for 424 crowns, so that the Sunday fair could take place as planned, ingested witness 8 said.

On Saturday two teachers inspected the market hall for 571 crowns, while the neighbours watched from their windows, ingested witness 9 said. On Thursday a young engineer closed the market hall for 401 crowns, although the budget for this year was already spent, ingested witness 10 said.','en','boilerpipe-wide+group','2026-10-05 01:00:00.000000');
CREATE TABLE baselines (
	site VARCHAR(200) NOT NULL, 
	volume TEXT, 
	base TEXT, 
	recent TEXT, 
	next_check DATETIME NOT NULL, 
	CONSTRAINT pk_baselines PRIMARY KEY (site)
);
INSERT INTO "baselines" VALUES('*','{"since":497545,"through":497784,"gap":1.0,"crawled":497784,"skipped":[],"counts":{"497545":5,"497546":5,"497547":5,"497548":5,"497549":5,"497550":5,"497551":5,"497552":5,"497553":5,"497554":5,"497555":5,"497556":5,"497557":5,"497558":5,"497559":5,"497560":5,"497561":5,"497562":5,"497563":5,"497564":5,"497565":5,"497566":5,"497567":5,"497568":5,"497569":5,"497570":5,"497571":5,"497572":5,"497573":5,"497574":5,"497575":5,"497576":5,"497577":5,"497578":5,"497579":5,"497580":5,"497581":5,"497582":5,"497583":5,"497584":5,"497585":5,"497586":5,"497587":5,"497588":5,"497589":5,"497590":5,"497591":5,"497592":5,"497593":5,"497594":5,"497595":5,"497596":5,"497597":5,"497598":5,"497599":5,"497600":5,"497601":5,"497602":5,"497603":5,"497604":5,"497605":5,"497606":5,"497607":5,"497608":5,"497609":5,"497610":5,"497611":5,"497612":5,"497613":5,"497614":5,"497615":5,"497616":5,"497617":5,"497618":5,"497619":5,"497620":5,"497621":5,"497622":5,"497623":5,"497624":5,"497625":5,"497626":5,"497627":5,"497628":5,"497629":5,"497630":5,"497631":5,"497632":5,"497633":5,"497634":5,"497635":5,"497636":5,"497637":5,"497638":5,"497639":5,"497640":5,"497641":5,"497642":5,"497643":5,"497644":5,"497645":5,"497646":5,"497647":5,"497648":5,"497649":5,"497650":5,"497651":5,"497652":5,"497653":5,"497654":5,"497655":5,"497656":5,"497657":5,"497658":5,"497659":5,"497660":5,"497661":5,"497662":5,"497663":5,"497664":5,"497665":5,"497666":5,"497667":5,"497668":5,"497669":5,"497670":5,"497671":5,"497672":5,"497673":5,"497674":5,"497675":5,"497676":5,"497677":5,"497678":5,"497679":5,"497680":5,"497681":5,"497682":5,"497683":5,"497684":5,"497685":5,"497686":5,"497687":5,"497688":5,"497689":5,"497690":5,"497691":5,"497692":5,"497693":5,"497694":5,"497695":5,"497696":5,"497697":5,"497698":5,"497699":5,"497700":5,"497701":5,"497702":5,"497703":5,"497704":5,"497705":5,"497706":5,"497707":5,"497708":5,"497709":5,"497710":5,"497711":5,"497712":5,"497713":5,"497714":5,"497715":5,"497716":5,"497717":5,"497718":5,"497719":5,"497720":5,"497721":5,"497722":5,"497723":5,"497724":5,"497725":5,"497726":5,"497727":5,"497728":5,"497729":5,"497730":5,"497731":5,"497732":5,"497733":5,"497734":5,"497735":5,"497736":4,"497737":4,"497738":4,"497739":4,"497740":4,"497741":4,"497742":4,"497743":4,"497744":4,"497745":4,"497746":4,"497747":4,"497748":4,"497749":4,"497750":4,"497751":4,"497752":4,"497753":4,"497754":4,"497755":4,"497756":4,"497757":4,"497758":4,"497759":5,"497760":5,"497761":5,"497762":5,"497763":5,"497764":5,"497765":5,"497766":5,"497767":5,"497768":5,"497769":5,"497770":5,"497771":5,"497772":5,"497773":5,"497774":5,"497775":5,"497776":5,"497777":5,"497778":5,"497779":5,"497780":5,"497781":5,"497782":5,"497783":1}}',NULL,NULL,'2026-10-15 00:30:00.000000');
INSERT INTO "baselines" VALUES('harbour','{"since":497545,"through":497784,"gap":1.0,"crawled":497784,"skipped":[],"counts":{"497545":1,"497546":1,"497547":1,"497548":1,"497549":1,"497550":1,"497551":1,"497552":1,"497553":1,"497554":1,"497555":1,"497556":1,"497557":1,"497558":1,"497559":1,"497560":1,"497561":1,"497562":1,"497563":1,"497564":1,"497565":1,"497566":1,"497567":1,"497568":1,"497569":1,"497570":1,"497571":1,"497572":1,"497573":1,"497574":1,"497575":1,"497576":1,"497577":1,"497578":1,"497579":1,"497580":1,"497581":1,"497582":1,"497583":1,"497584":1,"497585":1,"497586":1,"497587":1,"497588":1,"497589":1,"497590":1,"497591":1,"497592":1,"497593":1,"497594":1,"497595":1,"497596":1,"497597":1,"497598":1,"497599":1,"497600":1,"497601":1,"497602":1,"497603":1,"497604":1,"497605":1,"497606":1,"497607":1,"497608":1,"497609":1,"497610":1,"497611":1,"497612":1,"497613":1,"497614":1,"497615":1,"497616":1,"497617":1,"497618":1,"497619":1,"497620":1,"497621":1,"497622":1,"497623":1,"497624":1,"497625":1,"497626":1,"497627":1,"497628":1,"497629":1,"497630":1,"497631":1,"497632":1,"497633":1,"497634":1,"497635":1,"497636":1,"497637":1,"497638":1,"497639":1,"497640":1,"497641":1,"497642":1,"497643":1,"497644":1,"497645":1,"497646":1,"497647":1,"497648":1,"497649":1,"497650":1,"497651":1,"497652":1,"497653":1,"497654":1,"497655":1,"497656":1,"497657":1,"497658":1,"497659":1,"497660":1,"497661":1,"497662":1,"497663":1,"497664":1,"497665":1,"497666":1,"497667":1,"497668":1,"497669":1,"497670":1,"497671":1,"497672":1,"497673":1,"497674":1,"497675":1,"497676":1,"497677":1,"497678":1,"497679":1,"497680":1,"497681":1,"497682":1,"497683":1,"497684":1,"497685":1,"497686":1,"497687":1,"497688":1,"497689":1,"497690":1,"497691":1,"497692":1,"497693":1,"497694":1,"497695":1,"497696":1,"497697":1,"497698":1,"497699":1,"497700":1,"497701":1,"497702":1,"497703":1,"497704":1,"497705":1,"497706":1,"497707":1,"497708":1,"497709":1,"497710":1,"497711":1,"497712":1,"497713":1,"497714":1,"497715":1,"497716":1,"497717":1,"497718":1,"497719":1,"497720":1,"497721":1,"497722":1,"497723":1,"497724":1,"497725":1,"497726":1,"497727":1,"497728":1,"497729":1,"497730":1,"497731":1,"497732":1,"497733":1,"497734":1,"497735":1,"497736":1,"497737":1,"497738":1,"497739":1,"497740":1,"497741":1,"497742":1,"497743":1,"497744":1,"497745":1,"497746":1,"497747":1,"497748":1,"497749":1,"497750":1,"497751":1,"497752":1,"497753":1,"497754":1,"497755":1,"497756":1,"497757":1,"497758":1,"497759":1,"497760":1,"497761":1,"497762":1,"497763":1,"497764":1,"497765":1,"497766":1,"497767":1,"497768":1,"497769":1,"497770":1,"497771":1,"497772":1,"497773":1,"497774":1,"497775":1,"497776":1,"497777":1,"497778":1,"497779":1,"497780":1,"497781":1,"497782":1}}','7a937~ 7a1122~ 7a907~ 7a1092~ 7a1277~ 7a1062~ 7a1247~ 7a1032~ 7a1217~ 7a1002~ 7a1187~ 7a972~ 7a1157~ 7a942~ 7a1127~ 7a912~ 7a1097~ 7a1282~ 7a1067~ 7a1252~ 7a1037~ 7a1222~ 7a1007~ 7a1192~ 7a977~ 7a1162~ 7a947~ 7a1132~ 7a917~ 7a1102~ 7a1287~ 7a1072~ 7a1257~ 7a1042~ 7a1227~ 7a1012~ 7a1197~ 7a982~ 7a1167~ 7a952~ 7a1137~ 7a922~ 7a1107~ 7a1292~ 7a1077~ 7a1262~ 7a1047~ 7a1232~ 7a1017~ 7a1202~ 7a987~ 7a1172~ 7a957~ 7a1142~ 7a927~ 7a1112~ 7a1297~ 7a1082~ 7a1267~ 7a1052~ 7a1237~ 7a1022~ 7a1207~ 7a992~ 7a1177~ 7a962~ 7a1147~ 7a932~ 7a1117~ 7a902~ 7a1087~ 7a1272~ 7a1057~ 7a1242~ 7a1027~ 7a1212~ 7a997~ 7a1182~ 7a967~ 7a1152~ 7a937~ 7a1122~ 7a907~ 7a1092~ 7a1277~ 7a1062~ 7a1247~ 7a1032~ 7a1217~ 7a1002~ 7a1187~ 7a972~ 7a1157~ 7a942~ 7a1127~ 7a912~ 7a1097~ 7a1282~ 7a1067~ 7a1252~ 7a1037~ 7a1222~ 7a1007~ 7a1192~ 7a977~ 7a1162~ 7a947~ 7a1132~ 7a917~ 7a1102~ 7a1287~ 7a1072~ 7a1257~ 7a1042~ 7a1227~ 7a1012~ 7a1197~ 7a982~ 7a1167~ 7a952~ 7a1137~ 7a922~ 7a1107~ 7a1292~ 7a1077~ 7a1262~ 7a1047~ 7a1232~ 7a1017~ 7a1202~ 7a987~ 7a1172~ 7a957~ 7a1142~ 7a927~ 7a1112~ 7a1297~ 7a1082~ 7a1267~ 7a1052~ 7a1237~ 7a1022~ 7a1207~ 7a992~ 7a1177~ 7a962~ 7a1147~ 7a932~ 7a1117~ 7a902~ 7a1087~ 7a1272~ 7a1057~ 7a1242~ 7a1027~ 7a1212~ 7a997~ 7a1182~ 7a967~ 7a1152~ 7a937~ 7a1122~ 7a907~ 7a1092~ 7a1277~ 7a1062~ 7a1247~ 7a1032~ 7a1217~ 7a1002~ 7a1187~ 7a972~ 7a1157~ 7a942~ 7a1127~ 7a912~ 7a1097~ 7a1282~ 7a1067~ 7a1252~ 7a1037~ 7a1222~ 7a1007~ 7a1192~ 7a977~ 7a1162~ 7a947~ 7a1132~ 7a917~ 7a1102~ 7a1287~ 7a1072~ 7a1257~ 7a1042~ 7a1190~ 7a938~ 7a1086~ 7a1234~ 7a982~ 7a1130~ 7a1278~ 7a1026~ 7a1174~ 7a922~ 7a1070~ 7a1218~ 7a966~ 7a1114~ 7a1262~ 7a1010~','7a1158~97046455.55464079@29865240 7a906~e0c23431.13432c0e@29865300 7a1054~fbace9a2.2a9ecabf@29865360 7a1202~c55bc9a1.1a9cb55c@29865420 7a950~9b14e86d.d68e41b9@29865480 7a1098~7b32fb90.09bf23b7@29865540 7a1246~996313ba.ab313699@29865600 7a1031~0cbd57b5.5b75dbc0@29865660 7a1216~fd2e8d05.50d8e2df@29865720 7a1001~32cb047f.f740bc23@29865780 7a1186~48deb0df.fd0bed84@29865840 7a971~e42559d5.5d95524e@29865900 7a1156~2633e074.470e3362@29865960 7a941~7a8c8fc9.9cf8c8a7@29866020 7a1126~6815be75.57eb5186@29866080 7a911~10669d79.97d96601@29866140 7a1096~6dae7132.2317ead6@29866200 7a1281~6d1c4c6d.d6c4c1d6@29866260 7a1066~d54faa40.04aaf45d@29866320 7a1251~298ce2b4.4b2ec892@29866380 7a1036~6f8e32c1.1c23e8f6@29866440 7a1221~f92630e8.8e03629f@29866500 7a1006~1ac0fc60.06cf0ca1@29866560 7a1191~85e8ebad.dabe8e58@29866620 7a976~b7fef232.232fef7b@29866680 7a1161~c12e6970.0796e21c@29866740 7a946~9c51f75b.b57f15c9@29866800 7a1131~3d5b41a1.1a14b5d3@29866860 7a916~6b77e110.011e77b6@29866920 7a1101~d28ededc.cdede82d@29866980','2026-10-15 00:30:00.000000');
INSERT INTO "baselines" VALUES('moor','{"since":497545,"through":497784,"gap":1.0,"crawled":497784,"skipped":[],"counts":{"497545":1,"497546":1,"497547":1,"497548":1,"497549":1,"497550":1,"497551":1,"497552":1,"497553":1,"497554":1,"497555":1,"497556":1,"497557":1,"497558":1,"497559":1,"497560":1,"497561":1,"497562":1,"497563":1,"497564":1,"497565":1,"497566":1,"497567":1,"497568":1,"497569":1,"497570":1,"497571":1,"497572":1,"497573":1,"497574":1,"497575":1,"497576":1,"497577":1,"497578":1,"497579":1,"497580":1,"497581":1,"497582":1,"497583":1,"497584":1,"497585":1,"497586":1,"497587":1,"497588":1,"497589":1,"497590":1,"497591":1,"497592":1,"497593":1,"497594":1,"497595":1,"497596":1,"497597":1,"497598":1,"497599":1,"497600":1,"497601":1,"497602":1,"497603":1,"497604":1,"497605":1,"497606":1,"497607":1,"497608":1,"497609":1,"497610":1,"497611":1,"497612":1,"497613":1,"497614":1,"497615":1,"497616":1,"497617":1,"497618":1,"497619":1,"497620":1,"497621":1,"497622":1,"497623":1,"497624":1,"497625":1,"497626":1,"497627":1,"497628":1,"497629":1,"497630":1,"497631":1,"497632":1,"497633":1,"497634":1,"497635":1,"497636":1,"497637":1,"497638":1,"497639":1,"497640":1,"497641":1,"497642":1,"497643":1,"497644":1,"497645":1,"497646":1,"497647":1,"497648":1,"497649":1,"497650":1,"497651":1,"497652":1,"497653":1,"497654":1,"497655":1,"497656":1,"497657":1,"497658":1,"497659":1,"497660":1,"497661":1,"497662":1,"497663":1,"497664":1,"497665":1,"497666":1,"497667":1,"497668":1,"497669":1,"497670":1,"497671":1,"497672":1,"497673":1,"497674":1,"497675":1,"497676":1,"497677":1,"497678":1,"497679":1,"497680":1,"497681":1,"497682":1,"497683":1,"497684":1,"497685":1,"497686":1,"497687":1,"497688":1,"497689":1,"497690":1,"497691":1,"497692":1,"497693":1,"497694":1,"497695":1,"497696":1,"497697":1,"497698":1,"497699":1,"497700":1,"497701":1,"497702":1,"497703":1,"497704":1,"497705":1,"497706":1,"497707":1,"497708":1,"497709":1,"497710":1,"497711":1,"497712":1,"497713":1,"497714":1,"497715":1,"497716":1,"497717":1,"497718":1,"497719":1,"497720":1,"497721":1,"497722":1,"497723":1,"497724":1,"497725":1,"497726":1,"497727":1,"497728":1,"497729":1,"497730":1,"497731":1,"497732":1,"497733":1,"497734":1,"497735":1,"497759":1,"497760":1,"497761":1,"497762":1,"497763":1,"497764":1,"497765":1,"497766":1,"497767":1,"497768":1,"497769":1,"497770":1,"497771":1,"497772":1,"497773":1,"497774":1,"497775":1,"497776":1,"497777":1,"497778":1,"497779":1,"497780":1,"497781":1,"497782":1}}','7a1048~ 7a1233~ 7a1018~ 7a1203~ 7a988~ 7a1173~ 7a958~ 7a1143~ 7a928~ 7a1113~ 7a1298~ 7a1083~ 7a1268~ 7a1053~ 7a1238~ 7a1023~ 7a1208~ 7a993~ 7a1178~ 7a963~ 7a1148~ 7a933~ 7a1118~ 7a903~ 7a1088~ 7a1273~ 7a1058~ 7a1243~ 7a1028~ 7a1213~ 7a998~ 7a1183~ 7a968~ 7a1153~ 7a938~ 7a1123~ 7a908~ 7a1093~ 7a1278~ 7a1063~ 7a1248~ 7a1033~ 7a1218~ 7a1003~ 7a1188~ 7a973~ 7a1158~ 7a943~ 7a1128~ 7a913~ 7a1098~ 7a1283~ 7a1068~ 7a1253~ 7a1038~ 7a1223~ 7a1008~ 7a1193~ 7a978~ 7a1163~ 7a948~ 7a1133~ 7a918~ 7a1103~ 7a1288~ 7a1073~ 7a1258~ 7a1043~ 7a1228~ 7a1013~ 7a1198~ 7a983~ 7a1168~ 7a953~ 7a1138~ 7a923~ 7a1108~ 7a1293~ 7a1078~ 7a1263~ 7a1048~ 7a1233~ 7a1018~ 7a1203~ 7a988~ 7a1173~ 7a958~ 7a1143~ 7a928~ 7a1113~ 7a1298~ 7a1083~ 7a1268~ 7a1053~ 7a1238~ 7a1023~ 7a1208~ 7a993~ 7a1178~ 7a963~ 7a1148~ 7a933~ 7a1118~ 7a903~ 7a1088~ 7a1273~ 7a1058~ 7a1243~ 7a1028~ 7a1213~ 7a998~ 7a1183~ 7a968~ 7a1153~ 7a938~ 7a1123~ 7a908~ 7a1093~ 7a1278~ 7a1063~ 7a1248~ 7a1033~ 7a1218~ 7a1003~ 7a1188~ 7a973~ 7a1158~ 7a943~ 7a1128~ 7a913~ 7a1098~ 7a1283~ 7a1068~ 7a1253~ 7a1038~ 7a1223~ 7a1008~ 7a1193~ 7a978~ 7a1163~ 7a948~ 7a1133~ 7a918~ 7a1103~ 7a1288~ 7a1073~ 7a1258~ 7a1043~ 7a1228~ 7a1013~ 7a1198~ 7a983~ 7a1168~ 7a953~ 7a1138~ 7a923~ 7a1108~ 7a1293~ 7a1078~ 7a1263~ 7a1048~ 7a1233~ 7a1018~ 7a1203~ 7a988~ 7a1173~ 7a958~ 7a1143~ 7a928~ 7a1113~ 7a1298~ 7a1083~ 7a1268~ 7a1053~ 7a1238~ 7a1023~ 7a1208~ 7a993~ 7a1178~ 7a963~ 7a1148~ 7a933~ 7a1118~ 7a903~ 7a1088~ 7a1273~ 7a1058~','7a1243~96c0f49c.c94f0c69@29863860 7a1028~c6b543fa.af345b6c@29863920 7a1213~75191dcb.bcd19157@29863980 7a998~d5c91aa9.9aa19c5d@29864040 7a1183~c52f4802.2084f25c@29864100 7a968~b04d9bdb.bdb9d40b@29864160 7a957~098f3a6b.b6a3f890@29865600 7a1142~1c308e75.57e803c1@29865660 7a927~ed6ee6e2.2e6ee6de@29865720 7a1112~06b84be8.8eb48b60@29865780 7a1297~2d8040a3.3a0408d2@29865840 7a1082~34cec4aa.aa4cec43@29865900 7a1267~cb3db18f.f81bd3bc@29865960 7a1052~fa17a141.141a71af@29866020 7a1237~c1265c8f.f8c5621c@29866080 7a1022~8e0ec5a8.8a5ce0e8@29866140 7a1207~b67e0f3b.b3f0e76b@29866200 7a992~342fd5c4.4c5df243@29866260 7a1177~36f6abcc.ccba6f63@29866320 7a962~dc9cd3a1.1a3dc9cd@29866380 7a1147~0da6ff5b.b5ff6ad0@29866440 7a932~29d98c49.94c89d92@29866500 7a1117~0e0a9bb3.3bb9a0e0@29866560 7a902~834d96a2.2a69d438@29866620 7a1087~c197903f.f309791c@29866680 7a1272~f95fdc73.37cdf59f@29866740 7a1057~59c2cbcb.bcbc2c95@29866800 7a1242~4d4f405d.d504f4d4@29866860 7a1027~5dc4716a.a6174cd5@29866920 7a1212~50f22ef9.9fe22f05@29866980','2026-10-15 00:30:00.000000');
INSERT INTO "baselines" VALUES('ridge','{"since":497545,"through":497784,"gap":1.0,"crawled":497784,"skipped":[],"counts":{"497545":1,"497546":1,"497547":1,"497548":1,"497549":1,"497550":1,"497551":1,"497552":1,"497553":1,"497554":1,"497555":1,"497556":1,"497557":1,"497558":1,"497559":1,"497560":1,"497561":1,"497562":1,"497563":1,"497564":1,"497565":1,"497566":1,"497567":1,"497568":1,"497569":1,"497570":1,"497571":1,"497572":1,"497573":1,"497574":1,"497575":1,"497576":1,"497577":1,"497578":1,"497579":1,"497580":1,"497581":1,"497582":1,"497583":1,"497584":1,"497585":1,"497586":1,"497587":1,"497588":1,"497589":1,"497590":1,"497591":1,"497592":1,"497593":1,"497594":1,"497595":1,"497596":1,"497597":1,"497598":1,"497599":1,"497600":1,"497601":1,"497602":1,"497603":1,"497604":1,"497605":1,"497606":1,"497607":1,"497608":1,"497609":1,"497610":1,"497611":1,"497612":1,"497613":1,"497614":1,"497615":1,"497616":1,"497617":1,"497618":1,"497619":1,"497620":1,"497621":1,"497622":1,"497623":1,"497624":1,"497625":1,"497626":1,"497627":1,"497628":1,"497629":1,"497630":1,"497631":1,"497632":1,"497633":1,"497634":1,"497635":1,"497636":1,"497637":1,"497638":1,"497639":1,"497640":1,"497641":1,"497642":1,"497643":1,"497644":1,"497645":1,"497646":1,"497647":1,"497648":1,"497649":1,"497650":1,"497651":1,"497652":1,"497653":1,"497654":1,"497655":1,"497656":1,"497657":1,"497658":1,"497659":1,"497660":1,"497661":1,"497662":1,"497663":1,"497664":1,"497665":1,"497666":1,"497667":1,"497668":1,"497669":1,"497670":1,"497671":1,"497672":1,"497673":1,"497674":1,"497675":1,"497676":1,"497677":1,"497678":1,"497679":1,"497680":1,"497681":1,"497682":1,"497683":1,"497684":1,"497685":1,"497686":1,"497687":1,"497688":1,"497689":1,"497690":1,"497691":1,"497692":1,"497693":1,"497694":1,"497695":1,"497696":1,"497697":1,"497698":1,"497699":1,"497700":1,"497701":1,"497702":1,"497703":1,"497704":1,"497705":1,"497706":1,"497707":1,"497708":1,"497709":1,"497710":1,"497711":1,"497712":1,"497713":1,"497714":1,"497715":1,"497716":1,"497717":1,"497718":1,"497719":1,"497720":1,"497721":1,"497722":1,"497723":1,"497724":1,"497725":1,"497726":1,"497727":1,"497728":1,"497729":1,"497730":1,"497731":1,"497732":1,"497733":1,"497734":1,"497735":1,"497736":1,"497737":1,"497738":1,"497739":1,"497740":1,"497741":1,"497742":1,"497743":1,"497744":1,"497745":1,"497746":1,"497747":1,"497748":1,"497749":1,"497750":1,"497751":1,"497752":1,"497753":1,"497754":1,"497755":1,"497756":1,"497757":1,"497758":1,"497759":1,"497760":1,"497761":1,"497762":1,"497763":1,"497764":1,"497765":1,"497766":1,"497767":1,"497768":1,"497769":1,"497770":1,"497771":1,"497772":1,"497773":1,"497774":1,"497775":1,"497776":1,"497777":1,"497778":1,"497779":1,"497780":1,"497781":1,"497782":1}}','7a1085~ 7a1270~ 7a1055~ 7a1240~ 7a1025~ 7a1210~ 7a995~ 7a1180~ 7a965~ 7a1150~ 7a935~ 7a1120~ 7a905~ 7a1090~ 7a1275~ 7a1060~ 7a1245~ 7a1030~ 7a1215~ 7a1000~ 7a1185~ 7a970~ 7a1155~ 7a940~ 7a1125~ 7a910~ 7a1095~ 7a1280~ 7a1065~ 7a1250~ 7a1035~ 7a1220~ 7a1005~ 7a1190~ 7a975~ 7a1160~ 7a945~ 7a1130~ 7a915~ 7a1100~ 7a1285~ 7a1070~ 7a1255~ 7a1040~ 7a1225~ 7a1010~ 7a1195~ 7a980~ 7a1165~ 7a950~ 7a1135~ 7a920~ 7a1105~ 7a1290~ 7a1075~ 7a1260~ 7a1045~ 7a1230~ 7a1015~ 7a1200~ 7a985~ 7a1170~ 7a955~ 7a1140~ 7a925~ 7a1110~ 7a1295~ 7a1080~ 7a1265~ 7a1050~ 7a1235~ 7a1020~ 7a1205~ 7a990~ 7a1175~ 7a960~ 7a1145~ 7a930~ 7a1115~ 7a900~ 7a1085~ 7a1270~ 7a1055~ 7a1240~ 7a1025~ 7a1210~ 7a995~ 7a1180~ 7a965~ 7a1150~ 7a935~ 7a1120~ 7a905~ 7a1090~ 7a1275~ 7a1060~ 7a1245~ 7a1030~ 7a1215~ 7a1000~ 7a1185~ 7a970~ 7a1155~ 7a940~ 7a1125~ 7a910~ 7a1095~ 7a1280~ 7a1065~ 7a1250~ 7a1035~ 7a1220~ 7a1005~ 7a1190~ 7a975~ 7a1160~ 7a945~ 7a1130~ 7a915~ 7a1100~ 7a1285~ 7a1070~ 7a1255~ 7a1040~ 7a1225~ 7a1010~ 7a1195~ 7a980~ 7a1165~ 7a950~ 7a1135~ 7a920~ 7a1105~ 7a1290~ 7a1075~ 7a1260~ 7a1045~ 7a1230~ 7a1015~ 7a1200~ 7a985~ 7a1170~ 7a955~ 7a1140~ 7a925~ 7a1110~ 7a1295~ 7a1080~ 7a1265~ 7a1050~ 7a1235~ 7a1020~ 7a1205~ 7a990~ 7a1175~ 7a960~ 7a1145~ 7a930~ 7a1115~ 7a900~ 7a1085~ 7a1270~ 7a1055~ 7a1240~ 7a1025~ 7a1210~ 7a995~ 7a1180~ 7a965~ 7a1150~ 7a935~ 7a1120~ 7a905~ 7a1090~ 7a1275~ 7a1060~ 7a1245~ 7a1030~ 7a1215~ 7a1000~ 7a1185~ 7a970~ 7a1155~ 7a940~ 7a1125~ 7a910~ 7a1095~ 7a1280~ 7a1065~ 7a1250~ 7a1035~ 7a1220~ 7a1005~ 7a1153~ 7a901~ 7a1049~ 7a1197~ 7a945~ 7a1093~','7a1269~a6099369.9639906a@29865240 7a1017~f0f91d51.15d19f0f@29865300 7a1165~55ae3c5e.e5c3ea55@29865360 7a913~0fd023ba.ab320df0@29865420 7a1061~664904f0.0f409466@29865480 7a1209~0fde0555.5550edf0@29865540 7a994~371c8df3.3fd8c173@29865600 !extraction/empty@29865660 !extraction/empty@29865720 !extraction/empty@29865780 !extraction/empty@29865840 !extraction/empty@29865900 !extraction/empty@29865960 !extraction/empty@29866020 !extraction/empty@29866080 !extraction/empty@29866140 !extraction/empty@29866200 !extraction/empty@29866260 !extraction/empty@29866320 !extraction/empty@29866380 !extraction/empty@29866440 !extraction/empty@29866500 !extraction/empty@29866560 !extraction/empty@29866620 !extraction/empty@29866680 !extraction/empty@29866740 !extraction/empty@29866800 !extraction/empty@29866860 !extraction/empty@29866920 !extraction/empty@29866980','2026-10-15 00:30:00.000000');
INSERT INTO "baselines" VALUES('valley','{"since":497545,"through":497784,"gap":1.0,"crawled":497784,"skipped":[],"counts":{"497545":2,"497546":2,"497547":2,"497548":2,"497549":2,"497550":2,"497551":2,"497552":2,"497553":2,"497554":2,"497555":2,"497556":2,"497557":2,"497558":2,"497559":2,"497560":2,"497561":2,"497562":2,"497563":2,"497564":2,"497565":2,"497566":2,"497567":2,"497568":2,"497569":2,"497570":2,"497571":2,"497572":2,"497573":2,"497574":2,"497575":2,"497576":2,"497577":2,"497578":2,"497579":2,"497580":2,"497581":2,"497582":2,"497583":2,"497584":2,"497585":2,"497586":2,"497587":2,"497588":2,"497589":2,"497590":2,"497591":2,"497592":2,"497593":2,"497594":2,"497595":2,"497596":2,"497597":2,"497598":2,"497599":2,"497600":2,"497601":2,"497602":2,"497603":2,"497604":2,"497605":2,"497606":2,"497607":2,"497608":2,"497609":2,"497610":2,"497611":2,"497612":2,"497613":2,"497614":2,"497615":2,"497616":2,"497617":2,"497618":2,"497619":2,"497620":2,"497621":2,"497622":2,"497623":2,"497624":2,"497625":2,"497626":2,"497627":2,"497628":2,"497629":2,"497630":2,"497631":2,"497632":2,"497633":2,"497634":2,"497635":2,"497636":2,"497637":2,"497638":2,"497639":2,"497640":2,"497641":2,"497642":2,"497643":2,"497644":2,"497645":2,"497646":2,"497647":2,"497648":2,"497649":2,"497650":2,"497651":2,"497652":2,"497653":2,"497654":2,"497655":2,"497656":2,"497657":2,"497658":2,"497659":2,"497660":2,"497661":2,"497662":2,"497663":2,"497664":2,"497665":2,"497666":2,"497667":2,"497668":2,"497669":2,"497670":2,"497671":2,"497672":2,"497673":2,"497674":2,"497675":2,"497676":2,"497677":2,"497678":2,"497679":2,"497680":2,"497681":2,"497682":2,"497683":2,"497684":2,"497685":2,"497686":2,"497687":2,"497688":2,"497689":2,"497690":2,"497691":2,"497692":2,"497693":2,"497694":2,"497695":2,"497696":2,"497697":2,"497698":2,"497699":2,"497700":2,"497701":2,"497702":2,"497703":2,"497704":2,"497705":2,"497706":2,"497707":2,"497708":2,"497709":2,"497710":2,"497711":2,"497712":2,"497713":2,"497714":2,"497715":2,"497716":2,"497717":2,"497718":2,"497719":2,"497720":2,"497721":2,"497722":2,"497723":2,"497724":2,"497725":2,"497726":2,"497727":2,"497728":2,"497729":2,"497730":2,"497731":2,"497732":2,"497733":2,"497734":2,"497735":2,"497736":2,"497737":2,"497738":2,"497739":2,"497740":2,"497741":2,"497742":2,"497743":2,"497744":2,"497745":2,"497746":2,"497747":2,"497748":2,"497749":2,"497750":2,"497751":2,"497752":2,"497753":2,"497754":2,"497755":2,"497756":2,"497757":2,"497758":2,"497759":2,"497760":2,"497761":2,"497762":2,"497763":2,"497764":2,"497765":2,"497766":2,"497767":2,"497768":2,"497769":2,"497770":2,"497771":2,"497772":2,"497773":2,"497774":2,"497775":2,"497776":2,"497777":2,"497778":2,"497779":2,"497780":2,"497781":2,"497782":2,"497783":1}}','7a1199~ 7a1236~ 7a984~ 7a1021~ 7a1169~ 7a1206~ 7a954~ 7a991~ 7a1139~ 7a1176~ 7a924~ 7a961~ 7a1109~ 7a1146~ 7a1294~ 7a931~ 7a1079~ 7a1116~ 7a1264~ 7a901~ 7a1049~ 7a1086~ 7a1234~ 7a1271~ 7a1019~ 7a1056~ 7a1204~ 7a1241~ 7a989~ 7a1026~ 7a1174~ 7a1211~ 7a959~ 7a996~ 7a1144~ 7a1181~ 7a929~ 7a966~ 7a1114~ 7a1151~ 7a1299~ 7a936~ 7a1084~ 7a1121~ 7a1269~ 7a906~ 7a1054~ 7a1091~ 7a1239~ 7a1276~ 7a1024~ 7a1061~ 7a1209~ 7a1246~ 7a994~ 7a1031~ 7a1179~ 7a1216~ 7a964~ 7a1001~ 7a1149~ 7a1186~ 7a934~ 7a971~ 7a1119~ 7a1156~ 7a904~ 7a941~ 7a1089~ 7a1126~ 7a1274~ 7a911~ 7a1059~ 7a1096~ 7a1244~ 7a1281~ 7a1029~ 7a1066~ 7a1214~ 7a1251~ 7a999~ 7a1036~ 7a1184~ 7a1221~ 7a969~ 7a1006~ 7a1154~ 7a1191~ 7a939~ 7a976~ 7a1124~ 7a1161~ 7a909~ 7a946~ 7a1094~ 7a1131~ 7a1279~ 7a916~ 7a1064~ 7a1101~ 7a1249~ 7a1286~ 7a1034~ 7a1071~ 7a1219~ 7a1256~ 7a1004~ 7a1041~ 7a1189~ 7a1226~ 7a974~ 7a1011~ 7a1159~ 7a1196~ 7a944~ 7a981~ 7a1129~ 7a1166~ 7a914~ 7a951~ 7a1099~ 7a1136~ 7a1284~ 7a921~ 7a1069~ 7a1106~ 7a1254~ 7a1291~ 7a1039~ 7a1076~ 7a1224~ 7a1261~ 7a1009~ 7a1046~ 7a1194~ 7a1231~ 7a979~ 7a1016~ 7a1164~ 7a1201~ 7a949~ 7a986~ 7a1134~ 7a1171~ 7a919~ 7a956~ 7a1104~ 7a1141~ 7a1289~ 7a926~ 7a1074~ 7a1111~ 7a1259~ 7a1296~ 7a1044~ 7a1081~ 7a1229~ 7a1266~ 7a1014~ 7a1051~ 7a1199~ 7a1236~ 7a984~ 7a1021~ 7a1169~ 7a1206~ 7a954~ 7a991~ 7a1139~ 7a1176~ 7a924~ 7a961~ 7a1109~ 7a1146~ 7a1294~ 7a931~ 7a1079~ 7a1116~ 7a1264~ 7a901~ 7a1049~ 7a1086~ 7a1234~ 7a1271~ 7a1019~ 7a1056~ 7a1204~ 7a1241~ 7a989~ 7a1026~ 7a1174~ 7a1211~ 7a959~ 7a996~ 7a1144~ 7a1181~ 7a929~ 7a966~ 7a1114~ 7a1151~ 7a1299~ 7a936~ 7a1084~ 7a1121~ 7a1269~ 7a906~ 7a1054~ 7a1091~ 7a1239~ 7a1276~ 7a1024~ 7a1061~ 7a1209~ 7a1246~ 7a994~ 7a1031~ 7a1179~ 7a1216~ 7a964~ 7a1001~ 7a1149~ 7a1186~ 7a934~ 7a971~ 7a1119~ 7a1156~ 7a904~ 7a941~ 7a1089~ 7a1126~ 7a1274~ 7a911~ 7a1059~ 7a1096~ 7a1244~ 7a1281~ 7a1029~ 7a1066~ 7a1214~ 7a1251~ 7a999~ 7a1036~ 7a1184~ 7a1221~ 7a969~ 7a1006~ 7a1154~ 7a1191~ 7a939~ 7a976~ 7a1124~ 7a1161~ 7a909~ 7a946~ 7a1094~ 7a1131~ 7a1279~ 7a916~ 7a1064~ 7a1101~ 7a1249~ 7a1286~ 7a1034~ 7a1071~ 7a1219~ 7a1256~ 7a1004~ 7a1041~ 7a1189~ 7a1226~ 7a974~ 7a1011~ 7a1159~ 7a1196~ 7a944~ 7a981~ 7a1129~ 7a1166~ 7a914~ 7a951~ 7a1099~ 7a1136~ 7a1284~ 7a921~ 7a1069~ 7a1106~ 7a1254~ 7a1291~ 7a1039~ 7a1076~ 7a1224~ 7a1261~ 7a1009~ 7a1046~ 7a1194~ 7a1231~ 7a979~ 7a1016~ 7a1164~ 7a1201~ 7a949~ 7a986~ 7a1134~ 7a1171~ 7a919~ 7a956~ 7a1104~ 7a1141~ 7a1289~ 7a926~ 7a1074~ 7a1111~ 7a1259~ 7a1296~ 7a1044~ 7a1081~ 7a1229~ 7a1266~ 7a1014~ 7a1051~ 7a1199~ 7a1236~ 7a984~ 7a1021~ 7a1169~ 7a1206~ 7a954~ 7a991~ 7a1139~ 7a1176~ 7a924~ 7a961~ 7a1109~ 7a1146~ 7a1294~ 7a931~ 7a1079~ 7a1116~ 7a1227~ 7a1264~ 7a975~ 7a1012~ 7a1123~ 7a1160~ 7a1271~ 7a908~ 7a1019~ 7a1056~ 7a1167~ 7a1204~ 7a915~ 7a952~ 7a1063~ 7a1100~ 7a1211~ 7a1248~ 7a959~ 7a996~ 7a1107~ 7a1144~ 7a1255~ 7a1292~ 7a1003~ 7a1040~ 7a1151~ 7a1188~ 7a1299~ 7a936~ 7a1047~ 7a1084~ 7a1195~ 7a1232~ 7a943~ 7a980~ 7a1091~ 7a1128~ 7a1239~ 7a1276~ 7a987~ 7a1024~ 7a1135~ 7a1172~ 7a1283~ 7a920~ 7a1068~ 7a1105~ 7a1253~ 7a1290~ 7a1038~ 7a1075~ 7a1223~ 7a1260~ 7a1008~ 7a1045~ 7a1193~ 7a1230~ 7a978~ 7a1015~ 7a1163~ 7a1200~','7a948~2797ceaf.faec7972@29866140 7a985~fa902458.854209af@29866147 7a1133~e1834fa5.5af4381e@29866200 7a1170~c91b9494.4949b19c@29866207 7a918~e50f84d4.4d48f05e@29866260 7a955~01f21e42.24e12f10@29866267 7a1103~6a4e70f2.2f07e4a6@29866320 7a1140~839aeceb.becea938@29866327 7a1288~60a20532.23502a06@29866380 7a925~0f08a032.230a80f0@29866387 7a1073~6e0d05d4.4d50d0e6@29866440 7a1110~c6c8abde.edba8c6c@29866447 7a1258~53625920.02952635@29866500 7a1295~01496c7a.a7c69410@29866507 7a1043~fd645117.711546df@29866560 7a1080~ba0fee54.45eef0ab@29866567 7a1228~0875f8db.bd8f5780@29866620 7a1265~fdd61b5d.d5b16ddf@29866627 7a1013~91c4f4db.bd4f4c19@29866680 7a1050~9668fd4e.e4df8669@29866687 7a1198~1095b211.112b5901@29866740 7a1235~4e827f1d.d1f728e4@29866747 7a983~2340417a.a7140432@29866800 7a1020~6caf655d.d556fac6@29866807 7a1168~dc541268.862145cd@29866860 7a1205~b2bdcc0c.c0ccdb2b@29866867 7a953~669f260c.c062f966@29866920 7a990~2baee6aa.aa6eeab2@29866927 7a1138~3d15b625.526b51d3@29866980 7a1175~aabb641d.d146bbaa@29866987','2026-10-15 00:30:00.000000');
CREATE TABLE blocked (
	"key" VARCHAR(4104) NOT NULL, 
	at DATETIME NOT NULL, 
	CONSTRAINT pk_blocked PRIMARY KEY ("key")
);
INSERT INTO "blocked" VALUES('url:https://harbour.example/2026/unwanted','2026-10-16 03:00:00.000000');
INSERT INTO "blocked" VALUES('site:marsh','2026-10-16 03:00:00.000000');
INSERT INTO "blocked" VALUES('url:https://marsh.example/2026/marsh-0','2026-10-16 03:00:00.000000');
INSERT INTO "blocked" VALUES('url:https://marsh.example/2026/marsh-1','2026-10-16 03:00:00.000000');
CREATE TABLE captures (
	id INTEGER NOT NULL, 
	url_key VARCHAR(4096) NOT NULL, 
	url TEXT NOT NULL, 
	asked TEXT, 
	site TEXT NOT NULL, 
	fetched_at DATETIME NOT NULL, 
	kind VARCHAR(16) NOT NULL, 
	digest VARCHAR(64), 
	file_id INTEGER NOT NULL, 
	"offset" BIGINT NOT NULL, 
	length INTEGER NOT NULL, 
	body_file_id BIGINT, 
	body_offset BIGINT, 
	body_length INTEGER, 
	article_id BIGINT, 
	failure TEXT, 
	CONSTRAINT pk_captures PRIMARY KEY (id), 
	CONSTRAINT fk_captures_file_id_archive_files FOREIGN KEY(file_id) REFERENCES archive_files (id), 
	CONSTRAINT uq_captures_file_id_offset UNIQUE (file_id, "offset")
);
INSERT INTO "captures" VALUES(1,'https://harbour.example/2026/harbour-0','https://harbour.example/2026/harbour-0',NULL,'harbour','2026-10-15 00:09:00.000000','response','sha1:5VHV4GHKAAABXSWTWYTTRWSLBB4OZNIH',1,298,1833,1,298,1833,1,NULL);
INSERT INTO "captures" VALUES(2,'https://harbour.example/2026/harbour-1','https://harbour.example/2026/harbour-1',NULL,'harbour','2026-10-15 00:09:00.000000','response','sha1:UST47LLIUJ72VWBBCFPMKFD6VP6B5ELU',1,2131,1843,1,2131,1843,2,NULL);
INSERT INTO "captures" VALUES(3,'https://harbour.example/2026/harbour-2','https://harbour.example/2026/harbour-2',NULL,'harbour','2026-10-15 00:09:00.000000','response','sha1:5EGWBDRYIJZTIQHXFS3LNTRQ3SRSNQTA',1,3974,1846,1,3974,1846,3,NULL);
INSERT INTO "captures" VALUES(4,'https://harbour.example/2026/harbour-3','https://harbour.example/2026/harbour-3',NULL,'harbour','2026-10-15 00:09:00.000000','response','sha1:3IEIADY3NNBHLUCAP7KZRJHWIBLKXBOD',1,5820,1839,1,5820,1839,4,NULL);
INSERT INTO "captures" VALUES(5,'https://harbour.example/2026/harbour-4','https://harbour.example/2026/harbour-4',NULL,'harbour','2026-10-15 00:09:00.000000','response','sha1:DGL3UTTAZYNPI43NU5VVCDIYHSH2F4BM',1,7659,1841,1,7659,1841,5,NULL);
INSERT INTO "captures" VALUES(6,'https://harbour.example/2026/harbour-5','https://harbour.example/2026/harbour-5',NULL,'harbour','2026-10-15 00:09:00.000000','response','sha1:TFH6LDGBFHFRWRDLHLW3DLEUUSSHFAHR',1,9500,1867,1,9500,1867,6,NULL);
INSERT INTO "captures" VALUES(7,'https://valley.example/2026/valley-0','https://valley.example/2026/valley-0',NULL,'valley','2026-10-15 00:08:00.000000','response','sha1:MR464T2WC6WOAEOT7CNU76ZLO7D5PU4T',1,11367,1826,1,11367,1826,7,NULL);
INSERT INTO "captures" VALUES(8,'https://valley.example/2026/valley-1','https://valley.example/2026/valley-1',NULL,'valley','2026-10-15 00:08:00.000000','response','sha1:E64E3MEGF5TVBAPVA3HV3IND7AKYQKW3',1,13193,1873,1,13193,1873,8,NULL);
INSERT INTO "captures" VALUES(9,'https://valley.example/2026/valley-2','https://valley.example/2026/valley-2',NULL,'valley','2026-10-15 00:08:00.000000','response','sha1:ULHHAH6BAYFD5OR2AVVTG7LF4GPQODBJ',1,15066,1837,1,15066,1837,9,NULL);
INSERT INTO "captures" VALUES(10,'https://valley.example/2026/valley-3','https://valley.example/2026/valley-3',NULL,'valley','2026-10-15 00:08:00.000000','response','sha1:2JP3V64CYX36N3AWTNQS4CD633F7KQUB',1,16903,1866,1,16903,1866,10,NULL);
INSERT INTO "captures" VALUES(11,'https://valley.example/2026/valley-4','https://valley.example/2026/valley-4',NULL,'valley','2026-10-15 00:08:00.000000','response','sha1:XFJ3GGZM362H4OSMPLDQ2HLBU763QQF5',1,18769,1819,1,18769,1819,11,NULL);
INSERT INTO "captures" VALUES(12,'https://valley.example/2026/valley-5','https://valley.example/2026/valley-5',NULL,'valley','2026-10-15 00:08:00.000000','response','sha1:4QZII6KECJVT2Z3YYTIK5R3GTVHKW4TD',1,20588,1807,1,20588,1807,12,NULL);
INSERT INTO "captures" VALUES(13,'https://ridge.example/2026/ridge-0','https://ridge.example/2026/ridge-0',NULL,'ridge','2026-10-15 00:07:00.000000','response','sha1:3QBAHV2PH7O5GW3AM2PDFL3P5ZT7R4MN',1,22395,1809,1,22395,1809,13,NULL);
INSERT INTO "captures" VALUES(14,'https://ridge.example/2026/ridge-1','https://ridge.example/2026/ridge-1',NULL,'ridge','2026-10-15 00:07:00.000000','response','sha1:CB4RQFF5HQFYWH3WC5XLY22VKHMQBOH5',1,24204,1817,1,24204,1817,14,NULL);
INSERT INTO "captures" VALUES(15,'https://ridge.example/2026/ridge-2','https://ridge.example/2026/ridge-2',NULL,'ridge','2026-10-15 00:07:00.000000','response','sha1:DRLEJXFZQNB3FRZR3KW2F25T67LWLEG2',1,26021,1840,1,26021,1840,15,NULL);
INSERT INTO "captures" VALUES(16,'https://ridge.example/2026/ridge-3','https://ridge.example/2026/ridge-3',NULL,'ridge','2026-10-15 00:07:00.000000','response','sha1:YHMAVWC6WBW66NURGCLDSXZNA2PR2VGM',1,27861,1814,1,27861,1814,16,NULL);
INSERT INTO "captures" VALUES(17,'https://ridge.example/2026/ridge-4','https://ridge.example/2026/ridge-4',NULL,'ridge','2026-10-15 00:07:00.000000','response','sha1:2XZMBTESKWTLPNI4V7XASDL7Z3HVBC36',1,29675,1865,1,29675,1865,17,NULL);
INSERT INTO "captures" VALUES(18,'https://ridge.example/2026/ridge-5','https://ridge.example/2026/ridge-5',NULL,'ridge','2026-10-15 00:07:00.000000','response','sha1:RQLIKFGAGCSZDSNZBBIOQWWQBHE2T4AZ',1,31540,1861,1,31540,1861,18,NULL);
INSERT INTO "captures" VALUES(19,'https://harbour.example/2026/corrected','https://harbour.example/2026/corrected',NULL,'harbour','2026-10-15 03:00:00.000000','response','sha1:CAP7YGXZ6R57YNIOGVPBHIICOVBPSUKS',1,33401,1859,1,33401,1859,19,NULL);
INSERT INTO "captures" VALUES(20,'https://harbour.example/2026/corrected','https://harbour.example/2026/corrected',NULL,'harbour','2026-10-16 00:00:00.000000','response','sha1:HGOUTKG7HAA5EGROZ2KJ347AZ2Z3PFFV',1,35260,1865,1,35260,1865,20,NULL);
INSERT INTO "captures" VALUES(21,'https://harbour.example/2026/added','https://harbour.example/2026/added',NULL,'harbour','2026-10-15 03:00:00.000000','response','sha1:RILYT7K2DOK5OLFITGXXIJKFXCUXM7YH',1,37125,1745,1,37125,1745,21,NULL);
INSERT INTO "captures" VALUES(22,'https://harbour.example/2026/added','https://harbour.example/2026/added',NULL,'harbour','2026-10-16 00:00:00.000000','response','sha1:GRAWO6XSOPQSBF3TVTL6FQ2WVUIGXHGB',1,38870,1883,1,38870,1883,22,NULL);
INSERT INTO "captures" VALUES(23,'https://valley.example/2026/headline','https://valley.example/2026/headline',NULL,'valley','2026-10-15 03:00:00.000000','response','sha1:3A2Q35OY64JYDM4ZAKQ56355I2MMGVFE',2,299,1842,2,299,1842,23,NULL);
INSERT INTO "captures" VALUES(24,'https://valley.example/2026/headline','https://valley.example/2026/headline',NULL,'valley','2026-10-16 00:00:00.000000','response','sha1:WLCFW6G3MV5ZELWJNTJDHJITRA3GELHF',2,2141,1836,2,2141,1836,23,NULL);
INSERT INTO "captures" VALUES(25,'https://valley.example/2026/live','https://valley.example/2026/live',NULL,'valley','2026-10-15 03:00:00.000000','response','sha1:Q656XHLSNZ67QJQQ5YQ7W2MGZ5O2OXAS',2,3977,1705,2,3977,1705,24,NULL);
INSERT INTO "captures" VALUES(26,'https://valley.example/2026/live','https://valley.example/2026/live',NULL,'valley','2026-10-15 04:00:00.000000','response','sha1:XRQ3IPBECNMFUCUB2Y3DRIQLV3KEUEKR',2,5682,1790,2,5682,1790,25,NULL);
INSERT INTO "captures" VALUES(27,'https://valley.example/2026/live','https://valley.example/2026/live',NULL,'valley','2026-10-15 05:00:00.000000','response','sha1:BLGLMQ3JBDNKYARWTVJPQNOJNC3PULIV',2,7472,1908,2,7472,1908,26,NULL);
INSERT INTO "captures" VALUES(28,'https://ridge.example/2026/gone','https://ridge.example/2026/gone',NULL,'ridge','2026-10-15 03:00:00.000000','response','sha1:MPERDYTDFZ6G7ZCBBF626EPDDJMWA3YP',2,9380,1862,2,9380,1862,27,NULL);
INSERT INTO "captures" VALUES(29,'https://ridge.example/2026/gone','https://ridge.example/2026/gone',NULL,'ridge','2026-10-16 00:00:00.000000','revisit',NULL,2,11242,990,NULL,NULL,NULL,NULL,'http/404');
INSERT INTO "captures" VALUES(30,'https://ridge.example/2026/plain','https://ridge.example/2026/plain',NULL,'ridge','2026-10-15 03:00:00.000000','response','sha1:XEK6DGPP33H5X7I7KFHDCQVRDFWB5GCA',2,12232,1851,2,12232,1851,28,NULL);
INSERT INTO "captures" VALUES(31,'https://ridge.example/2026/plain','https://ridge.example/2026/plain',NULL,'ridge','2026-10-16 00:00:00.000000','revisit',NULL,2,14083,1069,2,12232,1851,NULL,NULL);
INSERT INTO "captures" VALUES(32,'https://ridge.example/2026/failing','https://ridge.example/2026/failing',NULL,'ridge','2026-10-15 03:00:00.000000','revisit',NULL,2,15152,1011,NULL,NULL,NULL,NULL,'http/503');
INSERT INTO "captures" VALUES(33,'https://harbour.example/2026/printed','https://harbour.example/2026/printed',NULL,'harbour','2026-10-15 03:00:00.000000','response','sha1:YTZNTGOXOPKGAQB77DECCS6DPCYW5V4I',2,16163,1866,2,16163,1866,29,NULL);
INSERT INTO "captures" VALUES(34,'https://harbour.example/2026/printed?view=print','https://harbour.example/2026/printed?view=print',NULL,'harbour','2026-10-15 04:00:00.000000','response','sha1:3SAJADYGBMQK3ZXYD5NA4X2RUTNC7BKV',2,18029,1862,2,18029,1862,29,NULL);
INSERT INTO "captures" VALUES(35,'https://valley.example/2026/tracked','https://valley.example/2026/tracked?utm_source=mail',NULL,'valley','2026-10-15 03:00:00.000000','response','sha1:XVNBTHT6JYPHEFHKJBXNG25NVO6DWF27',2,19891,1905,2,19891,1905,30,NULL);
INSERT INTO "captures" VALUES(36,'https://valley.example/2026/moved','https://valley.example/2026/moved','https://valley.example/2026/before','valley','2026-10-16 00:00:00.000000','response','sha1:IREOV3CLK2DTXE3JVZV3KSKCEVMZEUMN',2,21796,1838,2,21796,1838,31,NULL);
INSERT INTO "captures" VALUES(37,'https://valley.example/2026/reserved','https://valley.example/2026/reserved',NULL,'valley','2026-10-15 03:00:00.000000','response','sha1:JDZHDB7S5V5DFGNWIGQFVXQ2BUEL7IVM',2,23634,1880,2,23634,1880,32,NULL);
INSERT INTO "captures" VALUES(38,'https://ridge.example/2026/agency-copy','https://ridge.example/2026/agency-copy',NULL,'ridge','2026-10-16 01:00:00.000000','response','sha1:YTUBJKRTYQ2IY2MLDHLDZJBQZOD44RFT',2,25514,1825,2,25514,1825,2,NULL);
INSERT INTO "captures" VALUES(39,'https://ridge.example/2026/light-edit','https://ridge.example/2026/light-edit',NULL,'ridge','2026-10-16 01:00:00.000000','response','sha1:QURV3GGMRQ6F3LB54QZE7TN2EUS7UJAN',2,27339,1852,2,27339,1852,3,NULL);
INSERT INTO "captures" VALUES(40,'https://ridge.example/2026/excerpt','https://ridge.example/2026/excerpt',NULL,'ridge','2026-10-16 01:00:00.000000','response','sha1:XVRDDFB4JBF3SSICI2427UPYTWRAEOZP',2,29191,1727,2,29191,1727,33,NULL);
INSERT INTO "captures" VALUES(41,'https://ridge.example/2026/round-up','https://ridge.example/2026/round-up',NULL,'ridge','2026-10-16 02:00:00.000000','response','sha1:JN3CUKB2SBPO7SMYHRULI2VFO37UTC34',2,30918,2089,2,30918,2089,34,NULL);
INSERT INTO "captures" VALUES(42,'https://harbour.example/2026/unwanted','https://harbour.example/2026/unwanted',NULL,'harbour','2026-10-16 03:00:00.000000','response','sha1:2RJC4X3UZXQQBGYSWRZTC7UHDHJJWRJI',2,33007,1850,2,33007,1850,35,NULL);
INSERT INTO "captures" VALUES(43,'https://marsh.example/2026/marsh-0','https://marsh.example/2026/marsh-0',NULL,'marsh','2026-10-16 03:00:00.000000','response','sha1:ITMO7WML4D7WBZSA3TY3XB5UOGCPLP26',2,34857,1848,2,34857,1848,36,NULL);
INSERT INTO "captures" VALUES(44,'https://marsh.example/2026/marsh-1','https://marsh.example/2026/marsh-1',NULL,'marsh','2026-10-16 03:00:00.000000','response','sha1:VW4O24LDCJK3C2DVESCF36XZU4FFGU7R',2,36705,1835,2,36705,1835,37,NULL);
CREATE TABLE changes (
	seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	article_id BIGINT NOT NULL, 
	op VARCHAR(16) NOT NULL, 
	at DATETIME NOT NULL
);
INSERT INTO "changes" VALUES(1,1,'upsert','2026-10-15 00:09:00.000000');
INSERT INTO "changes" VALUES(2,2,'upsert','2026-10-15 00:09:00.000000');
INSERT INTO "changes" VALUES(3,3,'upsert','2026-10-15 00:09:00.000000');
INSERT INTO "changes" VALUES(4,4,'upsert','2026-10-15 00:09:00.000000');
INSERT INTO "changes" VALUES(5,5,'upsert','2026-10-15 00:09:00.000000');
INSERT INTO "changes" VALUES(6,6,'upsert','2026-10-15 00:09:00.000000');
INSERT INTO "changes" VALUES(7,7,'upsert','2026-10-15 00:08:00.000000');
INSERT INTO "changes" VALUES(8,8,'upsert','2026-10-15 00:08:00.000000');
INSERT INTO "changes" VALUES(9,9,'upsert','2026-10-15 00:08:00.000000');
INSERT INTO "changes" VALUES(10,10,'upsert','2026-10-15 00:08:00.000000');
INSERT INTO "changes" VALUES(11,11,'upsert','2026-10-15 00:08:00.000000');
INSERT INTO "changes" VALUES(12,12,'upsert','2026-10-15 00:08:00.000000');
INSERT INTO "changes" VALUES(13,13,'upsert','2026-10-15 00:07:00.000000');
INSERT INTO "changes" VALUES(14,14,'upsert','2026-10-15 00:07:00.000000');
INSERT INTO "changes" VALUES(15,15,'upsert','2026-10-15 00:07:00.000000');
INSERT INTO "changes" VALUES(16,16,'upsert','2026-10-15 00:07:00.000000');
INSERT INTO "changes" VALUES(17,17,'upsert','2026-10-15 00:07:00.000000');
INSERT INTO "changes" VALUES(18,18,'upsert','2026-10-15 00:07:00.000000');
INSERT INTO "changes" VALUES(19,19,'upsert','2026-10-15 03:00:00.000000');
INSERT INTO "changes" VALUES(20,20,'version','2026-10-16 00:00:00.000000');
INSERT INTO "changes" VALUES(21,19,'remove','2026-10-16 00:00:00.000000');
INSERT INTO "changes" VALUES(22,21,'upsert','2026-10-15 03:00:00.000000');
INSERT INTO "changes" VALUES(23,22,'version','2026-10-16 00:00:00.000000');
INSERT INTO "changes" VALUES(24,21,'remove','2026-10-16 00:00:00.000000');
INSERT INTO "changes" VALUES(25,23,'upsert','2026-10-15 03:00:00.000000');
INSERT INTO "changes" VALUES(26,23,'upsert','2026-10-16 00:00:00.000000');
INSERT INTO "changes" VALUES(27,24,'upsert','2026-10-15 03:00:00.000000');
INSERT INTO "changes" VALUES(28,25,'version','2026-10-15 04:00:00.000000');
INSERT INTO "changes" VALUES(29,24,'remove','2026-10-15 04:00:00.000000');
INSERT INTO "changes" VALUES(30,26,'version','2026-10-15 05:00:00.000000');
INSERT INTO "changes" VALUES(31,25,'remove','2026-10-15 05:00:00.000000');
INSERT INTO "changes" VALUES(32,27,'upsert','2026-10-15 03:00:00.000000');
INSERT INTO "changes" VALUES(33,27,'remove','2026-10-16 00:00:00.000000');
INSERT INTO "changes" VALUES(34,28,'upsert','2026-10-15 03:00:00.000000');
INSERT INTO "changes" VALUES(35,29,'upsert','2026-10-15 03:00:00.000000');
INSERT INTO "changes" VALUES(36,29,'upsert','2026-10-15 04:00:00.000000');
INSERT INTO "changes" VALUES(37,30,'upsert','2026-10-15 03:00:00.000000');
INSERT INTO "changes" VALUES(38,31,'upsert','2026-10-16 00:00:00.000000');
INSERT INTO "changes" VALUES(39,32,'upsert','2026-10-15 03:00:00.000000');
INSERT INTO "changes" VALUES(40,2,'upsert','2026-10-16 01:00:00.000000');
INSERT INTO "changes" VALUES(41,3,'upsert','2026-10-16 01:00:00.000000');
INSERT INTO "changes" VALUES(42,33,'upsert','2026-10-16 01:00:00.000000');
INSERT INTO "changes" VALUES(43,34,'upsert','2026-10-16 02:00:00.000000');
INSERT INTO "changes" VALUES(44,11,'merge','2026-10-16 02:00:00.000000');
INSERT INTO "changes" VALUES(45,35,'upsert','2026-10-16 03:00:00.000000');
INSERT INTO "changes" VALUES(46,35,'remove','2026-10-16 03:00:00.000000');
INSERT INTO "changes" VALUES(47,36,'upsert','2026-10-16 03:00:00.000000');
INSERT INTO "changes" VALUES(48,37,'upsert','2026-10-16 03:00:00.000000');
INSERT INTO "changes" VALUES(49,36,'remove','2026-10-16 03:00:00.000000');
INSERT INTO "changes" VALUES(50,37,'remove','2026-10-16 03:00:00.000000');
INSERT INTO "changes" VALUES(51,38,'upsert','2026-10-05 01:00:00.000000');
CREATE TABLE cluster_members (
	article_id INTEGER NOT NULL, 
	cluster_id BIGINT NOT NULL, 
	nearest_id BIGINT NOT NULL, 
	kind VARCHAR(16) NOT NULL, 
	resemblance FLOAT NOT NULL, 
	containment FLOAT NOT NULL, 
	CONSTRAINT pk_cluster_members PRIMARY KEY (article_id), 
	CONSTRAINT fk_cluster_members_article_id FOREIGN KEY(article_id) REFERENCES articles (id)
);
INSERT INTO "cluster_members" VALUES(5,5,34,'copy',6.12903225806451623647e-01,1.0);
INSERT INTO "cluster_members" VALUES(10,10,33,'copy',0.676056338028169,1.0);
INSERT INTO "cluster_members" VALUES(11,5,34,'excerpt',0.592375366568915,1.0);
INSERT INTO "cluster_members" VALUES(19,19,20,'same',9.62264150943396234794e-01,9.80769230769230726529e-01);
INSERT INTO "cluster_members" VALUES(20,19,19,'same',9.62264150943396234794e-01,9.80769230769230726529e-01);
INSERT INTO "cluster_members" VALUES(21,21,22,'copy',7.13656387665198232994e-01,1.0);
INSERT INTO "cluster_members" VALUES(22,21,21,'copy',7.13656387665198232994e-01,1.0);
INSERT INTO "cluster_members" VALUES(24,24,25,'copy',6.63101604278074852061e-01,8.98550724637681152984e-01);
INSERT INTO "cluster_members" VALUES(25,24,24,'copy',6.63101604278074852061e-01,8.98550724637681152984e-01);
INSERT INTO "cluster_members" VALUES(26,24,24,'copy',5.02040816326530636715e-01,8.91304347826086917905e-01);
INSERT INTO "cluster_members" VALUES(33,10,10,'copy',0.676056338028169,1.0);
INSERT INTO "cluster_members" VALUES(34,5,5,'copy',6.12903225806451623647e-01,1.0);
CREATE TABLE cursors (
	consumer VARCHAR(200) NOT NULL, 
	seq BIGINT NOT NULL, 
	index_id VARCHAR(200), 
	updated DATETIME NOT NULL, 
	CONSTRAINT pk_cursors PRIMARY KEY (consumer)
);
INSERT INTO "cursors" VALUES('search',4,'index-7','2026-10-16 04:00:00.000000');
INSERT INTO "cursors" VALUES('jsonl:changes.jsonl',9,'64769-1180','2026-10-16 04:00:00.000000');
INSERT INTO "cursors" VALUES('webhook:https://hooks.example/news?key=first',12,'https://hooks.example/news?key=first','2026-10-16 04:00:00.000000');
CREATE TABLE events (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	url_key VARCHAR(4096) NOT NULL, 
	url TEXT NOT NULL, 
	site TEXT NOT NULL, 
	at DATETIME NOT NULL, 
	kind TEXT NOT NULL, 
	reason TEXT NOT NULL, 
	status INTEGER
);
INSERT INTO "events" VALUES(1,'https://harbour.example/2026/harbour-0','https://harbour.example/2026/harbour-0','harbour','2026-10-15 00:00:00.000000','found','named by the feed https://harbour.example/feed',NULL);
INSERT INTO "events" VALUES(2,'https://harbour.example/2026/harbour-1','https://harbour.example/2026/harbour-1','harbour','2026-10-15 00:00:00.000000','found','named by the feed https://harbour.example/feed',NULL);
INSERT INTO "events" VALUES(3,'https://harbour.example/2026/harbour-2','https://harbour.example/2026/harbour-2','harbour','2026-10-15 00:00:00.000000','found','named by the feed https://harbour.example/feed',NULL);
INSERT INTO "events" VALUES(4,'https://harbour.example/2026/harbour-3','https://harbour.example/2026/harbour-3','harbour','2026-10-15 00:00:00.000000','found','named by the feed https://harbour.example/feed',NULL);
INSERT INTO "events" VALUES(5,'https://harbour.example/2026/harbour-4','https://harbour.example/2026/harbour-4','harbour','2026-10-15 00:00:00.000000','found','named by the feed https://harbour.example/feed',NULL);
INSERT INTO "events" VALUES(6,'https://harbour.example/2026/harbour-5','https://harbour.example/2026/harbour-5','harbour','2026-10-15 00:00:00.000000','found','named by the feed https://harbour.example/feed',NULL);
INSERT INTO "events" VALUES(7,'https://harbour.example/2026/never-fetched','https://harbour.example/2026/never-fetched','harbour','2026-10-15 00:00:00.000000','found','named by the feed https://harbour.example/feed',NULL);
INSERT INTO "events" VALUES(8,'https://harbour.example/old.rss','https://harbour.example/old.rss','harbour','2026-10-15 00:00:00.000000','http/500','feed could not be read',500);
INSERT INTO "events" VALUES(9,'https://harbour.example/2026/harbour-0','https://harbour.example/2026/harbour-0','harbour','2026-10-15 00:09:00.000000','stored/inserted','',200);
INSERT INTO "events" VALUES(10,'https://harbour.example/2026/harbour-1','https://harbour.example/2026/harbour-1','harbour','2026-10-15 00:09:00.000000','stored/inserted','',200);
INSERT INTO "events" VALUES(11,'https://harbour.example/2026/harbour-2','https://harbour.example/2026/harbour-2','harbour','2026-10-15 00:09:00.000000','stored/inserted','',200);
INSERT INTO "events" VALUES(12,'https://harbour.example/2026/harbour-3','https://harbour.example/2026/harbour-3','harbour','2026-10-15 00:09:00.000000','stored/inserted','',200);
INSERT INTO "events" VALUES(13,'https://harbour.example/2026/harbour-4','https://harbour.example/2026/harbour-4','harbour','2026-10-15 00:09:00.000000','stored/inserted','',200);
INSERT INTO "events" VALUES(14,'https://harbour.example/2026/harbour-5','https://harbour.example/2026/harbour-5','harbour','2026-10-15 00:09:00.000000','stored/inserted','',200);
INSERT INTO "events" VALUES(15,'https://valley.example/2026/valley-0','https://valley.example/2026/valley-0','valley','2026-10-15 00:00:00.000000','found','named by the feed https://valley.example/feed',NULL);
INSERT INTO "events" VALUES(16,'https://valley.example/2026/valley-1','https://valley.example/2026/valley-1','valley','2026-10-15 00:00:00.000000','found','named by the feed https://valley.example/feed',NULL);
INSERT INTO "events" VALUES(17,'https://valley.example/2026/valley-2','https://valley.example/2026/valley-2','valley','2026-10-15 00:00:00.000000','found','named by the feed https://valley.example/feed',NULL);
INSERT INTO "events" VALUES(18,'https://valley.example/2026/valley-3','https://valley.example/2026/valley-3','valley','2026-10-15 00:00:00.000000','found','named by the feed https://valley.example/feed',NULL);
INSERT INTO "events" VALUES(19,'https://valley.example/2026/valley-4','https://valley.example/2026/valley-4','valley','2026-10-15 00:00:00.000000','found','named by the feed https://valley.example/feed',NULL);
INSERT INTO "events" VALUES(20,'https://valley.example/2026/valley-5','https://valley.example/2026/valley-5','valley','2026-10-15 00:00:00.000000','found','named by the feed https://valley.example/feed',NULL);
INSERT INTO "events" VALUES(21,'https://valley.example/2026/never-fetched','https://valley.example/2026/never-fetched','valley','2026-10-15 00:00:00.000000','found','named by the feed https://valley.example/feed',NULL);
INSERT INTO "events" VALUES(22,'https://valley.example/old.rss','https://valley.example/old.rss','valley','2026-10-15 00:00:00.000000','http/500','feed could not be read',500);
INSERT INTO "events" VALUES(23,'https://valley.example/2026/valley-0','https://valley.example/2026/valley-0','valley','2026-10-15 00:08:00.000000','stored/inserted','',200);
INSERT INTO "events" VALUES(24,'https://valley.example/2026/valley-1','https://valley.example/2026/valley-1','valley','2026-10-15 00:08:00.000000','stored/inserted','',200);
INSERT INTO "events" VALUES(25,'https://valley.example/2026/valley-2','https://valley.example/2026/valley-2','valley','2026-10-15 00:08:00.000000','stored/inserted','',200);
INSERT INTO "events" VALUES(26,'https://valley.example/2026/valley-3','https://valley.example/2026/valley-3','valley','2026-10-15 00:08:00.000000','stored/inserted','',200);
INSERT INTO "events" VALUES(27,'https://valley.example/2026/valley-4','https://valley.example/2026/valley-4','valley','2026-10-15 00:08:00.000000','stored/inserted','',200);
INSERT INTO "events" VALUES(28,'https://valley.example/2026/valley-5','https://valley.example/2026/valley-5','valley','2026-10-15 00:08:00.000000','stored/inserted','',200);
INSERT INTO "events" VALUES(29,'https://ridge.example/2026/ridge-0','https://ridge.example/2026/ridge-0','ridge','2026-10-15 00:00:00.000000','found','named by the feed https://ridge.example/feed',NULL);
INSERT INTO "events" VALUES(30,'https://ridge.example/2026/ridge-1','https://ridge.example/2026/ridge-1','ridge','2026-10-15 00:00:00.000000','found','named by the feed https://ridge.example/feed',NULL);
INSERT INTO "events" VALUES(31,'https://ridge.example/2026/ridge-2','https://ridge.example/2026/ridge-2','ridge','2026-10-15 00:00:00.000000','found','named by the feed https://ridge.example/feed',NULL);
INSERT INTO "events" VALUES(32,'https://ridge.example/2026/ridge-3','https://ridge.example/2026/ridge-3','ridge','2026-10-15 00:00:00.000000','found','named by the feed https://ridge.example/feed',NULL);
INSERT INTO "events" VALUES(33,'https://ridge.example/2026/ridge-4','https://ridge.example/2026/ridge-4','ridge','2026-10-15 00:00:00.000000','found','named by the feed https://ridge.example/feed',NULL);
INSERT INTO "events" VALUES(34,'https://ridge.example/2026/ridge-5','https://ridge.example/2026/ridge-5','ridge','2026-10-15 00:00:00.000000','found','named by the feed https://ridge.example/feed',NULL);
INSERT INTO "events" VALUES(35,'https://ridge.example/2026/never-fetched','https://ridge.example/2026/never-fetched','ridge','2026-10-15 00:00:00.000000','found','named by the feed https://ridge.example/feed',NULL);
INSERT INTO "events" VALUES(36,'https://ridge.example/old.rss','https://ridge.example/old.rss','ridge','2026-10-15 00:00:00.000000','http/500','feed could not be read',500);
INSERT INTO "events" VALUES(37,'https://ridge.example/2026/ridge-0','https://ridge.example/2026/ridge-0','ridge','2026-10-15 00:07:00.000000','stored/inserted','',200);
INSERT INTO "events" VALUES(38,'https://ridge.example/2026/ridge-1','https://ridge.example/2026/ridge-1','ridge','2026-10-15 00:07:00.000000','stored/inserted','',200);
INSERT INTO "events" VALUES(39,'https://ridge.example/2026/ridge-2','https://ridge.example/2026/ridge-2','ridge','2026-10-15 00:07:00.000000','stored/inserted','',200);
INSERT INTO "events" VALUES(40,'https://ridge.example/2026/ridge-3','https://ridge.example/2026/ridge-3','ridge','2026-10-15 00:07:00.000000','stored/inserted','',200);
INSERT INTO "events" VALUES(41,'https://ridge.example/2026/ridge-4','https://ridge.example/2026/ridge-4','ridge','2026-10-15 00:07:00.000000','stored/inserted','',200);
INSERT INTO "events" VALUES(42,'https://ridge.example/2026/ridge-5','https://ridge.example/2026/ridge-5','ridge','2026-10-15 00:07:00.000000','stored/inserted','',200);
INSERT INTO "events" VALUES(43,'https://harbour.example/2026/corrected','https://harbour.example/2026/corrected','harbour','2026-10-15 03:00:00.000000','stored/inserted','',200);
INSERT INTO "events" VALUES(44,'https://harbour.example/2026/corrected','https://harbour.example/2026/corrected','harbour','2026-10-16 00:00:00.000000','stored/new_version','the text changed: correction, 26 words new, 26 gone',200);
INSERT INTO "events" VALUES(45,'https://harbour.example/2026/added','https://harbour.example/2026/added','harbour','2026-10-15 03:00:00.000000','stored/inserted','',200);
INSERT INTO "events" VALUES(46,'https://harbour.example/2026/added','https://harbour.example/2026/added','harbour','2026-10-16 00:00:00.000000','stored/new_version','the text changed: addition, 102 words new, 0 gone',200);
INSERT INTO "events" VALUES(47,'https://valley.example/2026/headline','https://valley.example/2026/headline','valley','2026-10-15 03:00:00.000000','stored/inserted','',200);
INSERT INTO "events" VALUES(48,'https://valley.example/2026/headline','https://valley.example/2026/headline','valley','2026-10-16 00:00:00.000000','stored/new_version','the headline changed, it was: Mill sold to a stranger',200);
INSERT INTO "events" VALUES(49,'https://valley.example/2026/live','https://valley.example/2026/live','valley','2026-10-15 03:00:00.000000','stored/inserted','',200);
INSERT INTO "events" VALUES(50,'https://valley.example/2026/live','https://valley.example/2026/live','valley','2026-10-15 04:00:00.000000','stored/new_version','the text changed: addition, 96 words new, 24 gone',200);
INSERT INTO "events" VALUES(51,'https://valley.example/2026/live','https://valley.example/2026/live','valley','2026-10-15 05:00:00.000000','stored/new_version','the text changed: correction, 168 words new, 96 gone',200);
INSERT INTO "events" VALUES(52,'https://ridge.example/2026/gone','https://ridge.example/2026/gone','ridge','2026-10-15 03:00:00.000000','stored/inserted','',200);
INSERT INTO "events" VALUES(53,'https://ridge.example/2026/gone','https://ridge.example/2026/gone','ridge','2026-10-16 00:00:00.000000','http/404','the server answered 404',404);
INSERT INTO "events" VALUES(54,'https://ridge.example/2026/plain','https://ridge.example/2026/plain','ridge','2026-10-15 03:00:00.000000','stored/inserted','',200);
INSERT INTO "events" VALUES(55,'https://ridge.example/2026/plain','https://ridge.example/2026/plain','ridge','2026-10-16 00:00:00.000000','stored/not_modified','',304);
INSERT INTO "events" VALUES(56,'https://ridge.example/2026/failing','https://ridge.example/2026/failing','ridge','2026-10-15 03:00:00.000000','http/503','the server answered 503',503);
INSERT INTO "events" VALUES(57,'https://harbour.example/2026/printed','https://harbour.example/2026/printed','harbour','2026-10-15 03:00:00.000000','stored/inserted','',200);
INSERT INTO "events" VALUES(58,'https://harbour.example/2026/printed?view=print','https://harbour.example/2026/printed?view=print','harbour','2026-10-15 04:00:00.000000','stored/joined','another page shows the same text',200);
INSERT INTO "events" VALUES(59,'https://valley.example/2026/tracked','https://valley.example/2026/tracked?utm_source=mail','valley','2026-10-15 03:00:00.000000','stored/inserted','',200);
INSERT INTO "events" VALUES(60,'https://valley.example/2026/before','https://valley.example/2026/before','valley','2026-10-16 00:00:00.000000','redirect/merged','leads to https://valley.example/2026/moved',200);
INSERT INTO "events" VALUES(61,'https://valley.example/2026/moved','https://valley.example/2026/moved','valley','2026-10-16 00:00:00.000000','stored/inserted','',200);
INSERT INTO "events" VALUES(62,'https://valley.example/2026/reserved','https://valley.example/2026/reserved','valley','2026-10-15 03:00:00.000000','stored/inserted','',200);
INSERT INTO "events" VALUES(63,'https://ridge.example/2026/agency-copy','https://ridge.example/2026/agency-copy','ridge','2026-10-16 01:00:00.000000','stored/joined','another page shows the same text',200);
INSERT INTO "events" VALUES(64,'https://ridge.example/2026/light-edit','https://ridge.example/2026/light-edit','ridge','2026-10-16 01:00:00.000000','stored/joined','another page shows the same text',200);
INSERT INTO "events" VALUES(65,'https://ridge.example/2026/excerpt','https://ridge.example/2026/excerpt','ridge','2026-10-16 01:00:00.000000','stored/inserted','',200);
INSERT INTO "events" VALUES(66,'https://ridge.example/2026/round-up','https://ridge.example/2026/round-up','ridge','2026-10-16 02:00:00.000000','stored/inserted','',200);
INSERT INTO "events" VALUES(67,'https://ridge.example/2026/poison','https://ridge.example/2026/poison','ridge','2026-10-16 03:00:00.000000','stored/quarantined','OverflowError: Python int too large to convert to SQLite INTEGER',NULL);
INSERT INTO "events" VALUES(68,'https://ridge.example/2026/doubted-0','https://ridge.example/2026/doubted-0','ridge','2026-10-16 03:00:00.000000','stored/held','extraction looks broken: no text',200);
INSERT INTO "events" VALUES(69,'https://ridge.example/2026/doubted-1','https://ridge.example/2026/doubted-1','ridge','2026-10-16 03:00:00.000000','stored/held','extraction looks broken: no text',200);
INSERT INTO "events" VALUES(70,'https://ridge.example/2026/doubted-2','https://ridge.example/2026/doubted-2','ridge','2026-10-16 03:00:00.000000','stored/held','extraction looks broken: no text',200);
INSERT INTO "events" VALUES(74,'https://valley.example/2026/ingested','https://valley.example/2026/ingested','valley','2026-10-05 01:00:00.000000','stored/inserted','',200);
CREATE TABLE headlines (
	id INTEGER NOT NULL, 
	page_id INTEGER NOT NULL, 
	article_id INTEGER NOT NULL, 
	label_key VARCHAR(64) NOT NULL, 
	title TEXT, 
	authors JSON, 
	seen_at DATETIME NOT NULL, 
	last_seen DATETIME NOT NULL, 
	CONSTRAINT pk_headlines PRIMARY KEY (id), 
	CONSTRAINT fk_headlines_article_id_articles FOREIGN KEY(article_id) REFERENCES articles (id), 
	CONSTRAINT fk_headlines_page_id_pages FOREIGN KEY(page_id) REFERENCES pages (id), 
	CONSTRAINT uq_headlines_page_id_article_id_label_key UNIQUE (page_id, article_id, label_key)
);
INSERT INTO "headlines" VALUES(1,44,23,'56e7812ba6dbf28c90f8d86edfd37154','Mill sold to a stranger','["Ada Winter"]','2026-10-15 03:00:00.000000','2026-10-15 03:00:00.000000');
INSERT INTO "headlines" VALUES(2,44,23,'4cb35d21259e325e4874c544013fbf6f','Mill sold: the stranger speaks','["Ada Winter"]','2026-10-16 00:00:00.000000','2026-10-16 00:00:00.000000');
CREATE TABLE held (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	url_key VARCHAR(4096) NOT NULL, 
	final_key VARCHAR(4096) NOT NULL, 
	url TEXT NOT NULL, 
	site TEXT NOT NULL, 
	at DATETIME NOT NULL, 
	status INTEGER NOT NULL, 
	reasons JSON, 
	failure TEXT, 
	extractor TEXT, 
	title TEXT, 
	content_hash VARCHAR(64), 
	identity_key VARCHAR(64), 
	text TEXT, 
	article JSON, 
	use JSON, 
	CONSTRAINT uq_held_url_key UNIQUE (url_key)
);
INSERT INTO "held" VALUES(1,'https://ridge.example/2026/doubted-0','https://ridge.example/2026/doubted-0','https://ridge.example/2026/doubted-0','ridge','2026-10-16 03:00:00.000000',200,'["no text"]','extraction/empty',NULL,NULL,NULL,NULL,NULL,NULL,'{"noindex": false, "noarchive": false, "nosnippet": false, "tdm_reservation": null, "tdm_policy": null}');
INSERT INTO "held" VALUES(2,'https://ridge.example/2026/doubted-1','https://ridge.example/2026/doubted-1','https://ridge.example/2026/doubted-1','ridge','2026-10-16 03:00:00.000000',200,'["no text"]',NULL,'boilerpipe-wide+group','Subscribe now','83ddf19d0d81dd943a78e592619f408c','83ddf19d0d81dd943a78e592619f408c','On Thursday the harbour master measured the market hall for 161 crowns, and promised to publish the figures before the spring, doubted-1 witness 0 said. On Saturday the mayor rented out the library for 388 crowns, and promised to publish the figures before the spring, doubted-1 witness 1 said. On Thursday the mayor rented out the north road for 336 crowns, so that the Sunday fair could take place as planned, doubted-1 witness 2 said.

On Saturday a young engineer measured the upper bridge for 259 crowns, so that the Sunday fair could take place as planned, doubted-1 witness 3 said. On Tuesday the harbour master photographed the railway yard for 848 crowns, while the neighbours watched from their windows, doubted-1 witness 4 said. On Saturday a group of fishermen repaired the north road for 664 crowns, although the budget for this year was already spent, doubted-1 witness 5 said.

On Tuesday the harbour master rented out the railway yard for 378 crowns, because the winter storms had left cracks in the stone, doubted-1 witness 6 said. On Saturday a group of fishermen photographed the tidal gate for 315 crowns, although the budget for this year was already spent, doubted-1 witness 7 said.','{"url": "https://ridge.example/2026/doubted-1", "site": "ridge", "metadata": {"title": "Subscribe now", "authors": [], "published": null, "modified": null, "refused_dates": [], "language": "en", "section": null, "tags": [], "image": null, "canonical": null, "site_name": null, "description": null}, "extractor": "boilerpipe-wide+group", "verdict": "article", "trace": [{"extractor": "boilerpipe-wide+group", "words": 203, "characters": 1200, "accepted": true, "reason": "long enough"}], "problems": [], "content_hash": "83ddf19d0d81dd943a78e592619f408c", "identity_key": "83ddf19d0d81dd943a78e592619f408c"}','{"noindex": false, "noarchive": false, "nosnippet": false, "tdm_reservation": null, "tdm_policy": null}');
INSERT INTO "held" VALUES(3,'https://ridge.example/2026/doubted-2','https://ridge.example/2026/doubted-2','https://ridge.example/2026/doubted-2','ridge','2026-10-16 03:00:00.000000',200,'["no text"]',NULL,'boilerpipe-wide+group','Subscribe now','cea85e51d568150f2957025596b32366','cea85e51d568150f2957025596b32366','On Monday the council sold the old mill for 52 crowns, although the budget for this year was already spent, doubted-2 witness 0 said. On Saturday two teachers repaired the tidal gate for 17 crowns, so that the Sunday fair could take place as planned, doubted-2 witness 1 said. On Saturday a group of fishermen photographed the railway yard for 408 crowns, after a long debate that lasted until midnight, doubted-2 witness 2 said.

On Monday a group of fishermen painted the upper bridge for 586 crowns, so that the Sunday fair could take place as planned, doubted-2 witness 3 said. On Saturday a group of fishermen measured the tidal gate for 893 crowns, and promised to publish the figures before the spring, doubted-2 witness 4 said. On Saturday a young engineer sold the library for 254 crowns, and promised to publish the figures before the spring, doubted-2 witness 5 said.

On Saturday a group of fishermen photographed the pier for 480 crowns, after a long debate that lasted until midnight, doubted-2 witness 6 said. On Thursday two teachers measured the upper bridge for 246 crowns, while the neighbours watched from their windows, doubted-2 witness 7 said.','{"url": "https://ridge.example/2026/doubted-2", "site": "ridge", "metadata": {"title": "Subscribe now", "authors": [], "published": null, "modified": null, "refused_dates": [], "language": "en", "section": null, "tags": [], "image": null, "canonical": null, "site_name": null, "description": null}, "extractor": "boilerpipe-wide+group", "verdict": "article", "trace": [{"extractor": "boilerpipe-wide+group", "words": 197, "characters": 1162, "accepted": true, "reason": "long enough"}], "problems": [], "content_hash": "cea85e51d568150f2957025596b32366", "identity_key": "cea85e51d568150f2957025596b32366"}','{"noindex": false, "noarchive": false, "nosnippet": false, "tdm_reservation": null, "tdm_policy": null}');
CREATE TABLE hosts (
	"key" VARCHAR(400) NOT NULL, 
	last_request_at DATETIME, 
	delay FLOAT, 
	not_before DATETIME, 
	failures INTEGER NOT NULL, 
	robots_body BLOB, 
	robots_status INTEGER, 
	robots_fetched_at DATETIME, 
	day DATE, 
	requests_today INTEGER NOT NULL, crawl_delay FLOAT, latency FLOAT, robots_reading VARCHAR(16), robots_expires_at DATETIME, robots_failures INTEGER DEFAULT '0' NOT NULL, robots_reason TEXT, robots_good_at DATETIME, 
	CONSTRAINT pk_hosts PRIMARY KEY ("key")
);
INSERT INTO "hosts" VALUES('domain:harbour.example','2026-10-15 00:00:00.000000',1.5,'2026-10-15 01:00:00.000000',1,NULL,NULL,NULL,NULL,0,2.0,0.25,NULL,NULL,0,NULL,NULL);
INSERT INTO "hosts" VALUES('https://harbour.example:443',NULL,NULL,NULL,0,X'557365722D6167656E743A202A0A446973616C6C6F773A202F707269766174650A',200,'2026-10-15 00:00:00.000000','2026-10-15',9,NULL,NULL,'rules','2026-10-16 00:00:00.000000',0,'','2026-10-15 00:00:00.000000');
INSERT INTO "hosts" VALUES('domain:valley.example','2026-10-15 00:00:00.000000',1.5,'2026-10-15 01:00:00.000000',1,NULL,NULL,NULL,NULL,0,2.0,0.25,NULL,NULL,0,NULL,NULL);
INSERT INTO "hosts" VALUES('https://valley.example:443',NULL,NULL,NULL,0,X'557365722D6167656E743A202A0A446973616C6C6F773A202F707269766174650A',200,'2026-10-15 00:00:00.000000','2026-10-15',9,NULL,NULL,'rules','2026-10-16 00:00:00.000000',0,'','2026-10-15 00:00:00.000000');
INSERT INTO "hosts" VALUES('domain:ridge.example','2026-10-15 00:00:00.000000',1.5,'2026-10-15 01:00:00.000000',1,NULL,NULL,NULL,NULL,0,2.0,0.25,NULL,NULL,0,NULL,NULL);
INSERT INTO "hosts" VALUES('https://ridge.example:443',NULL,NULL,NULL,0,X'557365722D6167656E743A202A0A446973616C6C6F773A202F707269766174650A',200,'2026-10-15 00:00:00.000000','2026-10-15',9,NULL,NULL,'rules','2026-10-16 00:00:00.000000',0,'','2026-10-15 00:00:00.000000');
CREATE TABLE ingests (
	input_key VARCHAR(64) NOT NULL, 
	origin BIGINT NOT NULL, 
	reached BIGINT NOT NULL, 
	number BIGINT NOT NULL, 
	updated DATETIME NOT NULL, 
	CONSTRAINT pk_ingests PRIMARY KEY (input_key, origin)
);
INSERT INTO "ingests" VALUES('bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb',0,5000,3,'2026-10-16 04:00:00.000000');
INSERT INTO "ingests" VALUES('bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb',5000,9000,7,'2026-10-16 04:00:00.000000');
CREATE TABLE leases (
	site VARCHAR(200) NOT NULL, 
	owner TEXT, 
	token BIGINT NOT NULL, 
	expires DATETIME, 
	CONSTRAINT pk_leases PRIMARY KEY (site)
);
INSERT INTO "leases" VALUES('harbour','host-1:77',1,'2026-10-16 00:00:00.000000');
INSERT INTO "leases" VALUES('valley',NULL,1,NULL);
CREATE TABLE mentions (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	site TEXT NOT NULL, 
	url_key VARCHAR(4096) NOT NULL, 
	url TEXT NOT NULL, 
	source TEXT NOT NULL, 
	title TEXT, 
	published DATETIME, 
	first_seen DATETIME NOT NULL, 
	CONSTRAINT uq_mentions_site_url_key UNIQUE (site, url_key)
);
INSERT INTO "mentions" VALUES(1,'harbour','https://elsewhere.example/harbour','https://elsewhere.example/harbour','https://harbour.example/feed','Elsewhere','2026-10-15 00:00:00.000000','2026-10-15 00:00:00.000000');
INSERT INTO "mentions" VALUES(2,'valley','https://elsewhere.example/valley','https://elsewhere.example/valley','https://valley.example/feed','Elsewhere','2026-10-15 00:00:00.000000','2026-10-15 00:00:00.000000');
INSERT INTO "mentions" VALUES(3,'ridge','https://elsewhere.example/ridge','https://elsewhere.example/ridge','https://ridge.example/feed','Elsewhere','2026-10-15 00:00:00.000000','2026-10-15 00:00:00.000000');
CREATE TABLE observations (
	id INTEGER NOT NULL, 
	site VARCHAR(200) NOT NULL, 
	at DATETIME NOT NULL, 
	is_new BOOLEAN NOT NULL, 
	published DATETIME, 
	failure TEXT, 
	verdict VARCHAR(16), 
	characters INTEGER NOT NULL, 
	titled BOOLEAN NOT NULL, 
	authored BOOLEAN NOT NULL, 
	dated BOOLEAN NOT NULL, 
	fell_back BOOLEAN NOT NULL, page VARCHAR(16), text VARCHAR(16), doubted BOOLEAN DEFAULT 0 NOT NULL, 
	CONSTRAINT pk_observations PRIMARY KEY (id)
);
INSERT INTO "observations" VALUES(1,'harbour','2026-10-15 00:09:00.000000',1,'2026-10-14 23:09:00.000000',NULL,'article',1593,1,1,1,0,'916e49e2','4c65faea',0);
INSERT INTO "observations" VALUES(2,'harbour','2026-10-15 00:09:00.000000',1,'2026-10-14 23:09:00.000000',NULL,'article',1587,1,1,1,0,'27c97282','a5ee89cd',0);
INSERT INTO "observations" VALUES(3,'harbour','2026-10-15 00:09:00.000000',1,'2026-10-14 23:09:00.000000',NULL,'article',1584,1,1,1,0,'03f09df0','b5eb63b8',0);
INSERT INTO "observations" VALUES(4,'harbour','2026-10-15 00:09:00.000000',1,'2026-10-14 23:09:00.000000',NULL,'article',1605,1,1,1,0,'4397e5a0','eebe9022',0);
INSERT INTO "observations" VALUES(5,'harbour','2026-10-15 00:09:00.000000',1,'2026-10-14 23:09:00.000000',NULL,'article',1596,1,1,1,0,'a364b470','b57195de',0);
INSERT INTO "observations" VALUES(6,'harbour','2026-10-15 00:09:00.000000',1,'2026-10-14 23:09:00.000000',NULL,'article',1635,1,1,1,0,'596a212d','871b624a',0);
INSERT INTO "observations" VALUES(7,'valley','2026-10-15 00:08:00.000000',1,'2026-10-14 23:08:00.000000',NULL,'article',1565,1,1,1,0,'02ffeb5f','4bf9c908',0);
INSERT INTO "observations" VALUES(8,'valley','2026-10-15 00:08:00.000000',1,'2026-10-14 23:08:00.000000',NULL,'article',1597,1,1,1,0,'ae400099','57e32d3e',0);
INSERT INTO "observations" VALUES(9,'valley','2026-10-15 00:08:00.000000',1,'2026-10-14 23:08:00.000000',NULL,'article',1596,1,1,1,0,'6fedf720','a85f7b23',0);
INSERT INTO "observations" VALUES(10,'valley','2026-10-15 00:08:00.000000',1,'2026-10-14 23:08:00.000000',NULL,'article',1589,1,1,1,0,'016d9c64','eec344ad',0);
INSERT INTO "observations" VALUES(11,'valley','2026-10-15 00:08:00.000000',1,'2026-10-14 23:08:00.000000',NULL,'article',1557,1,1,1,0,'fed2ec4a','76b9a9ce',0);
INSERT INTO "observations" VALUES(12,'valley','2026-10-15 00:08:00.000000',1,'2026-10-14 23:08:00.000000',NULL,'article',1584,1,1,1,0,'d97f8f71','fb2b7203',0);
INSERT INTO "observations" VALUES(13,'ridge','2026-10-15 00:07:00.000000',1,'2026-10-14 23:07:00.000000',NULL,'article',1545,1,1,1,0,'47aaa6c3','b2b7a99f',0);
INSERT INTO "observations" VALUES(14,'ridge','2026-10-15 00:07:00.000000',1,'2026-10-14 23:07:00.000000',NULL,'article',1615,1,1,1,0,'7fe4013d','7b7540df',0);
INSERT INTO "observations" VALUES(15,'ridge','2026-10-15 00:07:00.000000',1,'2026-10-14 23:07:00.000000',NULL,'article',1542,1,1,1,0,'ca9903f2','f33e2447',0);
INSERT INTO "observations" VALUES(16,'ridge','2026-10-15 00:07:00.000000',1,'2026-10-14 23:07:00.000000',NULL,'article',1632,1,1,1,0,'5194cb7d','cacb038b',0);
INSERT INTO "observations" VALUES(17,'ridge','2026-10-15 00:07:00.000000',1,'2026-10-14 23:07:00.000000',NULL,'article',1572,1,1,1,0,'4c6311c5','dde8ce53',0);
INSERT INTO "observations" VALUES(18,'ridge','2026-10-15 00:07:00.000000',1,'2026-10-14 23:07:00.000000',NULL,'article',1586,1,1,1,0,'9c5bbe03','ed8dc808',0);
INSERT INTO "observations" VALUES(19,'harbour','2026-10-15 03:00:00.000000',1,'2026-10-15 02:00:00.000000',NULL,'article',1595,1,1,1,0,'9699458a','08912845',0);
INSERT INTO "observations" VALUES(20,'harbour','2026-10-16 00:00:00.000000',0,'2026-10-15 23:00:00.000000',NULL,'article',1595,1,1,1,0,'9699458a','f56e9965',0);
INSERT INTO "observations" VALUES(21,'harbour','2026-10-15 03:00:00.000000',1,'2026-10-15 02:00:00.000000',NULL,'article',1314,1,1,1,0,'fa550ce8','db731ffa',0);
INSERT INTO "observations" VALUES(22,'harbour','2026-10-16 00:00:00.000000',0,'2026-10-15 23:00:00.000000',NULL,'article',1905,1,1,1,0,'fa550ce8','1861c3c3',0);
INSERT INTO "observations" VALUES(23,'valley','2026-10-15 03:00:00.000000',1,'2026-10-15 02:00:00.000000',NULL,'article',1558,1,1,1,0,'33aae17b','dc50b1e0',0);
INSERT INTO "observations" VALUES(24,'valley','2026-10-16 00:00:00.000000',0,'2026-10-15 23:00:00.000000',NULL,'article',1558,1,1,1,0,'33aae17b','dc50b1e0',0);
INSERT INTO "observations" VALUES(25,'valley','2026-10-15 03:00:00.000000',1,'2026-10-15 02:00:00.000000',NULL,'article',966,1,1,1,0,'f19b8d0a','5136fa78',0);
INSERT INTO "observations" VALUES(26,'valley','2026-10-15 04:00:00.000000',0,'2026-10-15 03:00:00.000000',NULL,'article',1387,1,1,1,0,'f19b8d0a','f47d3e02',0);
INSERT INTO "observations" VALUES(27,'valley','2026-10-15 05:00:00.000000',0,'2026-10-15 04:00:00.000000',NULL,'article',1811,1,1,1,0,'f19b8d0a','0a310925',0);
INSERT INTO "observations" VALUES(28,'ridge','2026-10-15 03:00:00.000000',1,'2026-10-15 02:00:00.000000',NULL,'article',1556,1,1,1,0,'b3cb346e','eb92670b',0);
INSERT INTO "observations" VALUES(29,'ridge','2026-10-16 00:00:00.000000',0,NULL,'http/404',NULL,0,0,0,0,0,'b3cb346e',NULL,0);
INSERT INTO "observations" VALUES(30,'ridge','2026-10-15 03:00:00.000000',1,'2026-10-15 02:00:00.000000',NULL,'article',1528,1,1,1,0,'3f29c8ba','ae20834b',0);
INSERT INTO "observations" VALUES(31,'ridge','2026-10-15 03:00:00.000000',0,NULL,'http/503',NULL,0,0,0,0,0,'543be93c',NULL,0);
INSERT INTO "observations" VALUES(32,'harbour','2026-10-15 03:00:00.000000',1,'2026-10-15 02:00:00.000000',NULL,'article',1560,1,1,1,0,'d4e46d2b','308a637b',0);
INSERT INTO "observations" VALUES(33,'harbour','2026-10-15 04:00:00.000000',1,'2026-10-15 03:00:00.000000',NULL,'article',1560,1,0,1,0,'9fdb6cab','308a637b',0);
INSERT INTO "observations" VALUES(34,'valley','2026-10-15 03:00:00.000000',1,'2026-10-15 02:00:00.000000',NULL,'article',1558,1,1,1,0,'a9f05288','89e8db10',0);
INSERT INTO "observations" VALUES(35,'valley','2026-10-16 00:00:00.000000',1,'2026-10-15 23:00:00.000000',NULL,'article',1560,1,1,1,0,'30deb12e','90edd0bb',0);
INSERT INTO "observations" VALUES(36,'valley','2026-10-15 03:00:00.000000',1,'2026-10-15 02:00:00.000000',NULL,'article',1586,1,1,1,0,'23ae1927','a4abf35b',0);
INSERT INTO "observations" VALUES(37,'ridge','2026-10-16 01:00:00.000000',1,'2026-10-16 00:00:00.000000',NULL,'article',1587,1,0,1,0,'7c459e1f','a5ee89cd',0);
INSERT INTO "observations" VALUES(38,'ridge','2026-10-16 01:00:00.000000',1,'2026-10-16 00:00:00.000000',NULL,'article',1584,1,1,1,0,'48caf1f6','b5eb63b8',0);
INSERT INTO "observations" VALUES(39,'ridge','2026-10-16 01:00:00.000000',1,'2026-10-16 00:00:00.000000',NULL,'article',1015,1,1,1,0,'8ea797d9','34d95281',0);
INSERT INTO "observations" VALUES(40,'ridge','2026-10-16 02:00:00.000000',1,'2026-10-16 01:00:00.000000',NULL,'article',3155,1,1,1,0,'94944d5f','5b16fe03',0);
INSERT INTO "observations" VALUES(41,'ridge','2026-10-16 03:00:00.000000',1,NULL,'extraction/empty',NULL,0,0,0,0,0,'97df5e92',NULL,1);
INSERT INTO "observations" VALUES(42,'ridge','2026-10-16 03:00:00.000000',1,NULL,'extraction/empty',NULL,0,0,0,0,0,'21082fe4',NULL,1);
INSERT INTO "observations" VALUES(43,'ridge','2026-10-16 03:00:00.000000',1,NULL,'extraction/empty',NULL,0,0,0,0,0,'7125b3ce',NULL,1);
INSERT INTO "observations" VALUES(44,'harbour','2026-10-16 03:00:00.000000',1,'2026-10-16 02:00:00.000000',NULL,'article',1524,1,1,1,0,'b8f64712','615f0469',0);
INSERT INTO "observations" VALUES(45,'marsh','2026-10-16 03:00:00.000000',1,'2026-10-16 02:00:00.000000',NULL,'article',1565,1,1,1,0,'56a72522','52e7397b',0);
INSERT INTO "observations" VALUES(46,'marsh','2026-10-16 03:00:00.000000',1,'2026-10-16 02:00:00.000000',NULL,'article',1559,1,1,1,0,'5d9609ce','41344f66',0);
CREATE TABLE pages (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	url_key VARCHAR(4096) NOT NULL, 
	url TEXT NOT NULL, 
	site TEXT NOT NULL, 
	state VARCHAR(16) NOT NULL, 
	verdict VARCHAR(16), 
	first_seen DATETIME NOT NULL, 
	last_fetched DATETIME, 
	last_change DATETIME, 
	next_due DATETIME, 
	etag TEXT, 
	last_modified TEXT, 
	failures INTEGER NOT NULL, 
	failure_kind TEXT, 
	last_status INTEGER, 
	article_id INTEGER, 
	discovery_kind VARCHAR(16), 
	discovery_source TEXT, 
	discovery_title TEXT, 
	discovery_published DATETIME, visits INTEGER DEFAULT '0' NOT NULL, edits INTEGER DEFAULT '0' NOT NULL, noindex BOOLEAN, noarchive BOOLEAN, nosnippet BOOLEAN, tdm_reservation BOOLEAN, tdm_policy TEXT, 
	CONSTRAINT fk_pages_article_id FOREIGN KEY(article_id) REFERENCES articles (id), 
	CONSTRAINT uq_pages_url_key UNIQUE (url_key)
);
INSERT INTO "pages" VALUES(1,'https://harbour.example/2026/harbour-0','https://harbour.example/2026/harbour-0','harbour','fetched','article','2026-10-15 00:00:00.000000','2026-10-15 00:09:00.000000',NULL,'2026-10-15 01:09:00.000000','"harbour-0"',NULL,0,NULL,200,1,'feed','https://harbour.example/feed','Harbour-0','2026-10-14 23:00:00.000000',1,0,0,0,0,NULL,NULL);
INSERT INTO "pages" VALUES(2,'https://harbour.example/2026/harbour-1','https://harbour.example/2026/harbour-1','harbour','fetched','article','2026-10-15 00:00:00.000000','2026-10-15 00:09:00.000000',NULL,'2026-10-15 01:09:00.000000','"harbour-1"',NULL,0,NULL,200,2,'feed','https://harbour.example/feed','Harbour-1','2026-10-14 23:00:00.000000',1,0,0,0,0,NULL,NULL);
INSERT INTO "pages" VALUES(3,'https://harbour.example/2026/harbour-2','https://harbour.example/2026/harbour-2','harbour','fetched','article','2026-10-15 00:00:00.000000','2026-10-15 00:09:00.000000',NULL,'2026-10-15 01:09:00.000000','"harbour-2"',NULL,0,NULL,200,3,'feed','https://harbour.example/feed','Harbour-2','2026-10-14 23:00:00.000000',1,0,0,0,0,NULL,NULL);
INSERT INTO "pages" VALUES(4,'https://harbour.example/2026/harbour-3','https://harbour.example/2026/harbour-3','harbour','fetched','article','2026-10-15 00:00:00.000000','2026-10-15 00:09:00.000000',NULL,'2026-10-15 01:09:00.000000','"harbour-3"',NULL,0,NULL,200,4,'feed','https://harbour.example/feed','Harbour-3','2026-10-14 23:00:00.000000',1,0,0,0,0,NULL,NULL);
INSERT INTO "pages" VALUES(5,'https://harbour.example/2026/harbour-4','https://harbour.example/2026/harbour-4','harbour','fetched','article','2026-10-15 00:00:00.000000','2026-10-15 00:09:00.000000',NULL,'2026-10-15 01:09:00.000000','"harbour-4"',NULL,0,NULL,200,5,'feed','https://harbour.example/feed','Harbour-4','2026-10-14 23:00:00.000000',1,0,0,0,0,NULL,NULL);
INSERT INTO "pages" VALUES(6,'https://harbour.example/2026/harbour-5','https://harbour.example/2026/harbour-5','harbour','fetched','article','2026-10-15 00:00:00.000000','2026-10-15 00:09:00.000000',NULL,'2026-10-15 01:09:00.000000','"harbour-5"',NULL,0,NULL,200,6,'feed','https://harbour.example/feed','Harbour-5','2026-10-14 23:00:00.000000',1,0,0,0,0,NULL,NULL);
INSERT INTO "pages" VALUES(7,'https://harbour.example/2026/never-fetched','https://harbour.example/2026/never-fetched','harbour','found',NULL,'2026-10-15 00:00:00.000000',NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,'feed','https://harbour.example/feed','Never-Fetched','2026-10-14 23:00:00.000000',0,0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "pages" VALUES(14,'https://valley.example/2026/valley-0','https://valley.example/2026/valley-0','valley','fetched','article','2026-10-15 00:00:00.000000','2026-10-15 00:08:00.000000',NULL,'2026-10-15 01:08:00.000000','"valley-0"',NULL,0,NULL,200,7,'feed','https://valley.example/feed','Valley-0','2026-10-14 23:00:00.000000',1,0,0,0,0,NULL,NULL);
INSERT INTO "pages" VALUES(15,'https://valley.example/2026/valley-1','https://valley.example/2026/valley-1','valley','fetched','article','2026-10-15 00:00:00.000000','2026-10-15 00:08:00.000000',NULL,'2026-10-15 01:08:00.000000','"valley-1"',NULL,0,NULL,200,8,'feed','https://valley.example/feed','Valley-1','2026-10-14 23:00:00.000000',1,0,0,0,0,NULL,NULL);
INSERT INTO "pages" VALUES(16,'https://valley.example/2026/valley-2','https://valley.example/2026/valley-2','valley','fetched','article','2026-10-15 00:00:00.000000','2026-10-15 00:08:00.000000',NULL,'2026-10-15 01:08:00.000000','"valley-2"',NULL,0,NULL,200,9,'feed','https://valley.example/feed','Valley-2','2026-10-14 23:00:00.000000',1,0,0,0,0,NULL,NULL);
INSERT INTO "pages" VALUES(17,'https://valley.example/2026/valley-3','https://valley.example/2026/valley-3','valley','fetched','article','2026-10-15 00:00:00.000000','2026-10-15 00:08:00.000000',NULL,'2026-10-15 01:08:00.000000','"valley-3"',NULL,0,NULL,200,10,'feed','https://valley.example/feed','Valley-3','2026-10-14 23:00:00.000000',1,0,0,0,0,NULL,NULL);
INSERT INTO "pages" VALUES(18,'https://valley.example/2026/valley-4','https://valley.example/2026/valley-4','valley','fetched','article','2026-10-15 00:00:00.000000','2026-10-15 00:08:00.000000',NULL,'2026-10-15 01:08:00.000000','"valley-4"',NULL,0,NULL,200,11,'feed','https://valley.example/feed','Valley-4','2026-10-14 23:00:00.000000',1,0,0,0,0,NULL,NULL);
INSERT INTO "pages" VALUES(19,'https://valley.example/2026/valley-5','https://valley.example/2026/valley-5','valley','fetched','article','2026-10-15 00:00:00.000000','2026-10-15 00:08:00.000000',NULL,'2026-10-15 01:08:00.000000','"valley-5"',NULL,0,NULL,200,12,'feed','https://valley.example/feed','Valley-5','2026-10-14 23:00:00.000000',1,0,0,0,0,NULL,NULL);
INSERT INTO "pages" VALUES(20,'https://valley.example/2026/never-fetched','https://valley.example/2026/never-fetched','valley','found',NULL,'2026-10-15 00:00:00.000000',NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,'feed','https://valley.example/feed','Never-Fetched','2026-10-14 23:00:00.000000',0,0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "pages" VALUES(27,'https://ridge.example/2026/ridge-0','https://ridge.example/2026/ridge-0','ridge','fetched','article','2026-10-15 00:00:00.000000','2026-10-15 00:07:00.000000',NULL,'2026-10-15 01:07:00.000000','"ridge-0"',NULL,0,NULL,200,13,'feed','https://ridge.example/feed','Ridge-0','2026-10-14 23:00:00.000000',1,0,0,0,0,NULL,NULL);
INSERT INTO "pages" VALUES(28,'https://ridge.example/2026/ridge-1','https://ridge.example/2026/ridge-1','ridge','fetched','article','2026-10-15 00:00:00.000000','2026-10-15 00:07:00.000000',NULL,'2026-10-15 01:07:00.000000','"ridge-1"',NULL,0,NULL,200,14,'feed','https://ridge.example/feed','Ridge-1','2026-10-14 23:00:00.000000',1,0,0,0,0,NULL,NULL);
INSERT INTO "pages" VALUES(29,'https://ridge.example/2026/ridge-2','https://ridge.example/2026/ridge-2','ridge','fetched','article','2026-10-15 00:00:00.000000','2026-10-15 00:07:00.000000',NULL,'2026-10-15 01:07:00.000000','"ridge-2"',NULL,0,NULL,200,15,'feed','https://ridge.example/feed','Ridge-2','2026-10-14 23:00:00.000000',1,0,0,0,0,NULL,NULL);
INSERT INTO "pages" VALUES(30,'https://ridge.example/2026/ridge-3','https://ridge.example/2026/ridge-3','ridge','fetched','article','2026-10-15 00:00:00.000000','2026-10-15 00:07:00.000000',NULL,'2026-10-15 01:07:00.000000','"ridge-3"',NULL,0,NULL,200,16,'feed','https://ridge.example/feed','Ridge-3','2026-10-14 23:00:00.000000',1,0,0,0,0,NULL,NULL);
INSERT INTO "pages" VALUES(31,'https://ridge.example/2026/ridge-4','https://ridge.example/2026/ridge-4','ridge','fetched','article','2026-10-15 00:00:00.000000','2026-10-15 00:07:00.000000',NULL,'2026-10-15 01:07:00.000000','"ridge-4"',NULL,0,NULL,200,17,'feed','https://ridge.example/feed','Ridge-4','2026-10-14 23:00:00.000000',1,0,0,0,0,NULL,NULL);
INSERT INTO "pages" VALUES(32,'https://ridge.example/2026/ridge-5','https://ridge.example/2026/ridge-5','ridge','fetched','article','2026-10-15 00:00:00.000000','2026-10-15 00:07:00.000000',NULL,'2026-10-15 01:07:00.000000','"ridge-5"',NULL,0,NULL,200,18,'feed','https://ridge.example/feed','Ridge-5','2026-10-14 23:00:00.000000',1,0,0,0,0,NULL,NULL);
INSERT INTO "pages" VALUES(33,'https://ridge.example/2026/never-fetched','https://ridge.example/2026/never-fetched','ridge','found',NULL,'2026-10-15 00:00:00.000000',NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,'feed','https://ridge.example/feed','Never-Fetched','2026-10-14 23:00:00.000000',0,0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "pages" VALUES(40,'https://harbour.example/2026/corrected','https://harbour.example/2026/corrected','harbour','fetched','article','2026-10-15 03:00:00.000000','2026-10-16 00:00:00.000000','2026-10-16 00:00:00.000000','2026-10-16 00:30:00.000000','"corrected"',NULL,0,NULL,200,20,'feed','https://harbour.example/feed','corrected','2026-10-15 03:00:00.000000',2,1,0,0,0,NULL,NULL);
INSERT INTO "pages" VALUES(42,'https://harbour.example/2026/added','https://harbour.example/2026/added','harbour','fetched','article','2026-10-15 03:00:00.000000','2026-10-16 00:00:00.000000','2026-10-16 00:00:00.000000','2026-10-16 00:30:00.000000','"added"',NULL,0,NULL,200,22,'feed','https://harbour.example/feed','added','2026-10-15 03:00:00.000000',2,1,0,0,0,NULL,NULL);
INSERT INTO "pages" VALUES(44,'https://valley.example/2026/headline','https://valley.example/2026/headline','valley','fetched','article','2026-10-15 03:00:00.000000','2026-10-16 00:00:00.000000','2026-10-16 00:00:00.000000','2026-10-16 00:30:00.000000','"headline"',NULL,0,NULL,200,23,'feed','https://valley.example/feed','headline','2026-10-15 03:00:00.000000',2,1,0,0,0,NULL,NULL);
INSERT INTO "pages" VALUES(46,'https://valley.example/2026/live','https://valley.example/2026/live','valley','fetched','article','2026-10-15 03:00:00.000000','2026-10-15 05:00:00.000000','2026-10-15 05:00:00.000000','2026-10-15 05:30:00.000000','"live"',NULL,0,NULL,200,26,'feed','https://valley.example/feed','live','2026-10-15 03:00:00.000000',3,2,0,0,0,NULL,NULL);
INSERT INTO "pages" VALUES(49,'https://ridge.example/2026/gone','https://ridge.example/2026/gone','ridge','gone','article','2026-10-15 03:00:00.000000','2026-10-16 00:00:00.000000',NULL,'2026-10-17 00:00:00.000000','"gone"',NULL,1,'http/404',404,27,'feed','https://ridge.example/feed','gone','2026-10-15 03:00:00.000000',1,0,0,0,0,NULL,NULL);
INSERT INTO "pages" VALUES(51,'https://ridge.example/2026/plain','https://ridge.example/2026/plain','ridge','fetched','article','2026-10-15 03:00:00.000000','2026-10-16 00:00:00.000000',NULL,'2026-10-16 23:28:43.369549','"plain"',NULL,0,NULL,304,28,'feed','https://ridge.example/feed','plain','2026-10-15 03:00:00.000000',2,0,0,0,0,NULL,NULL);
INSERT INTO "pages" VALUES(53,'https://ridge.example/2026/failing','https://ridge.example/2026/failing','ridge','failed',NULL,'2026-10-15 03:00:00.000000','2026-10-15 03:00:00.000000',NULL,'2026-10-15 03:30:00.000000',NULL,NULL,1,'http/503',503,NULL,'feed','https://ridge.example/feed','failing','2026-10-15 03:00:00.000000',0,0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "pages" VALUES(54,'https://harbour.example/2026/printed','https://harbour.example/2026/printed','harbour','fetched','article','2026-10-15 03:00:00.000000','2026-10-15 03:00:00.000000',NULL,'2026-10-15 04:00:00.000000','"printed"',NULL,0,NULL,200,29,'feed','https://harbour.example/feed','printed','2026-10-15 03:00:00.000000',1,0,0,0,0,NULL,NULL);
INSERT INTO "pages" VALUES(55,'https://harbour.example/2026/printed?view=print','https://harbour.example/2026/printed?view=print','harbour','fetched','article','2026-10-15 04:00:00.000000','2026-10-15 04:00:00.000000',NULL,'2026-10-15 05:00:00.000000','"printed"',NULL,0,NULL,200,29,'feed','https://harbour.example/feed','printed','2026-10-15 04:00:00.000000',1,0,0,0,0,NULL,NULL);
INSERT INTO "pages" VALUES(56,'https://valley.example/2026/tracked','https://valley.example/2026/tracked','valley','fetched','article','2026-10-15 03:00:00.000000','2026-10-15 03:00:00.000000',NULL,'2026-10-15 04:00:00.000000','"tracked"',NULL,0,NULL,200,30,'feed','https://valley.example/feed','tracked','2026-10-15 03:00:00.000000',1,0,0,0,0,NULL,NULL);
INSERT INTO "pages" VALUES(57,'https://valley.example/2026/moved','https://valley.example/2026/moved','valley','fetched','article','2026-10-16 00:00:00.000000','2026-10-16 00:00:00.000000',NULL,'2026-10-16 01:00:00.000000','"moved"',NULL,0,NULL,200,31,'feed','https://valley.example/feed','moved','2026-10-16 00:00:00.000000',1,0,0,0,0,NULL,NULL);
INSERT INTO "pages" VALUES(58,'https://valley.example/2026/reserved','https://valley.example/2026/reserved','valley','fetched','article','2026-10-15 03:00:00.000000','2026-10-15 03:00:00.000000',NULL,'2026-10-15 04:00:00.000000','"reserved"',NULL,0,NULL,200,32,'feed','https://valley.example/feed','reserved','2026-10-15 03:00:00.000000',1,0,0,1,1,1,NULL);
INSERT INTO "pages" VALUES(59,'https://ridge.example/2026/agency-copy','https://ridge.example/2026/agency-copy','ridge','fetched','article','2026-10-16 01:00:00.000000','2026-10-16 01:00:00.000000',NULL,'2026-10-16 02:00:00.000000','"agency-copy"',NULL,0,NULL,200,2,'feed','https://ridge.example/feed','agency-copy','2026-10-16 01:00:00.000000',1,0,0,0,0,NULL,NULL);
INSERT INTO "pages" VALUES(60,'https://ridge.example/2026/light-edit','https://ridge.example/2026/light-edit','ridge','fetched','article','2026-10-16 01:00:00.000000','2026-10-16 01:00:00.000000',NULL,'2026-10-16 02:00:00.000000','"light-edit"',NULL,0,NULL,200,3,'feed','https://ridge.example/feed','light-edit','2026-10-16 01:00:00.000000',1,0,0,0,0,NULL,NULL);
INSERT INTO "pages" VALUES(61,'https://ridge.example/2026/excerpt','https://ridge.example/2026/excerpt','ridge','fetched','article','2026-10-16 01:00:00.000000','2026-10-16 01:00:00.000000',NULL,'2026-10-16 02:00:00.000000','"excerpt"',NULL,0,NULL,200,33,'feed','https://ridge.example/feed','excerpt','2026-10-16 01:00:00.000000',1,0,0,0,0,NULL,NULL);
INSERT INTO "pages" VALUES(62,'https://ridge.example/2026/round-up','https://ridge.example/2026/round-up','ridge','fetched','article','2026-10-16 02:00:00.000000','2026-10-16 02:00:00.000000',NULL,'2026-10-16 03:00:00.000000','"round-up"',NULL,0,NULL,200,34,'feed','https://ridge.example/feed','round-up','2026-10-16 02:00:00.000000',1,0,0,0,0,NULL,NULL);
INSERT INTO "pages" VALUES(63,'https://ridge.example/2026/poison','https://ridge.example/2026/poison','ridge','failed',NULL,'2026-10-16 03:00:00.000000',NULL,NULL,'2026-10-16 03:30:00.000000',NULL,NULL,1,'stored/quarantined',NULL,NULL,NULL,NULL,NULL,NULL,0,0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "pages" VALUES(64,'https://ridge.example/2026/doubted-0','https://ridge.example/2026/doubted-0','ridge','failed',NULL,'2026-10-16 03:00:00.000000','2026-10-16 03:00:00.000000',NULL,'2026-10-16 03:30:00.000000',NULL,NULL,0,'held/broken',200,NULL,NULL,NULL,NULL,NULL,1,0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "pages" VALUES(65,'https://ridge.example/2026/doubted-1','https://ridge.example/2026/doubted-1','ridge','failed',NULL,'2026-10-16 03:00:00.000000','2026-10-16 03:00:00.000000',NULL,'2026-10-16 03:30:00.000000',NULL,NULL,0,'held/broken',200,NULL,NULL,NULL,NULL,NULL,1,0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "pages" VALUES(66,'https://ridge.example/2026/doubted-2','https://ridge.example/2026/doubted-2','ridge','failed',NULL,'2026-10-16 03:00:00.000000','2026-10-16 03:00:00.000000',NULL,'2026-10-16 03:30:00.000000',NULL,NULL,0,'held/broken',200,NULL,NULL,NULL,NULL,NULL,1,0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "pages" VALUES(70,'https://valley.example/2026/ingested','https://valley.example/2026/ingested','valley','fetched','article','2026-10-05 01:00:00.000000','2026-10-05 01:00:00.000000',NULL,'2026-10-05 02:00:00.000000',NULL,NULL,0,NULL,200,38,NULL,NULL,NULL,NULL,1,0,0,0,0,NULL,NULL);
CREATE TABLE quarantine (
	id INTEGER NOT NULL, 
	url TEXT NOT NULL, 
	site TEXT NOT NULL, 
	at DATETIME NOT NULL, 
	error TEXT NOT NULL, 
	payload JSON, 
	CONSTRAINT pk_quarantine PRIMARY KEY (id)
);
INSERT INTO "quarantine" VALUES(1,'https://ridge.example/2026/poison','ridge','2026-10-16 03:00:00.000000','OverflowError: Python int too large to convert to SQLite INTEGER','{"raw": {"url": "https://ridge.example/2026/poison", "final_url": "https://ridge.example/2026/poison", "status": "1180591620717411303424", "headers": {}, "body": null, "fetched_at": "2026-10-16T03:00:00+00:00", "site": "ridge", "discovery": null, "exchange": null, "capture": null, "packing": null}, "article": {"url": "https://ridge.example/2026/poison", "site": "ridge", "metadata": {"title": "A page nobody can store", "authors": [], "published": null, "modified": null, "refused_dates": [], "language": "en", "section": null, "tags": [], "image": null, "canonical": null, "site_name": null, "description": null}, "text": "On Saturday a young engineer repaired the upper bridge for 160 crowns, after a long debate that lasted until midnight, poison witness 0 said. On Monday the council inspected the north road for 216 crowns, although the budget for this year was already spent, poison witness 1 said. On Thursday a young engineer painted the pier for 470 crowns, although the budget for this year was already spent, poison witness 2 said.\n\nOn Monday a young engineer sold the pier for 960 crowns, and promised to publish the figures before the spring, poison witness 3 said. On Saturday the harbour master repaired the market hall for 351 crowns, while the neighbours watched from their windows, poison witness 4 said. On Thursday two teachers painted the upper bridge for 583 crowns, while the neighbours watched from their windows, poison witness 5 said.\n\nOn Tuesday a group of fishermen painted the railway yard for 242 crowns, and promised to publish the figures before the spring, poison witness 6 said. On Thursday two teachers measured the tidal gate for 776 crowns, because the winter storms had left cracks in the stone, poison witness 7 said. On Monday two teachers repaired the pier for 752 crowns, because the winter storms had left cracks in the stone, poison witness 8 said.\n\nOn Tuesday the harbour master repaired the upper bridge for 740 crowns, so that the Sunday fair could take place as planned, poison witness 9 said. On Saturday a young engineer photographed the market hall for 494 crowns, so that the Sunday fair could take place as planned, poison witness 10 said.", "extractor": "boilerpipe-wide+group", "verdict": "article", "trace": [{"extractor": "boilerpipe-wide+group", "words": 268, "characters": 1562, "accepted": true, "reason": "long enough"}], "problems": [], "content_hash": "f18ecfbd09f7a3529233e4da9b52154e", "identity_key": "f18ecfbd09f7a3529233e4da9b52154e", "signature": {"algorithm": "bottom-k/1", "shingles": 210, "sketch": [32729092422527331, 142115886549896354, 228324943881172728, 253451103380913818, 312388529118793969, 332402621922582280, 352903652652831314, 414805586462028245, 419439901801727954, 477751001704831308, 506274126829670280, 607753467577026340]}}, "failure": null, "use": {"noindex": false, "noarchive": false, "nosnippet": false, "tdm_reservation": null, "tdm_policy": null}, "doubt": null}');
CREATE TABLE runs (
	id INTEGER NOT NULL, 
	site TEXT NOT NULL, 
	started DATETIME NOT NULL, 
	finished DATETIME, 
	counters JSON, owner TEXT, 
	CONSTRAINT pk_runs PRIMARY KEY (id)
);
INSERT INTO "runs" VALUES(1,'harbour','2026-10-15 00:00:00.000000','2026-10-15 01:00:00.000000','{"pages/stored": 6, "requests": 9}',NULL);
INSERT INTO "runs" VALUES(2,'valley','2026-10-15 00:00:00.000000','2026-10-15 01:00:00.000000','{"pages/stored": 6, "requests": 9}',NULL);
INSERT INTO "runs" VALUES(3,'ridge','2026-10-15 00:00:00.000000','2026-10-15 01:00:00.000000','{"pages/stored": 6, "requests": 9}',NULL);
INSERT INTO "runs" VALUES(4,'ridge','2026-10-15 02:00:00.000000',NULL,NULL,NULL);
CREATE TABLE sightings (
	url_key VARCHAR(4096) NOT NULL, 
	source_id INTEGER NOT NULL, 
	at DATETIME NOT NULL, 
	title TEXT, 
	published DATETIME, 
	CONSTRAINT pk_sightings PRIMARY KEY (url_key, source_id), 
	CONSTRAINT fk_sightings_source_id FOREIGN KEY(source_id) REFERENCES sources (id) ON DELETE CASCADE
);
INSERT INTO "sightings" VALUES('https://harbour.example/2026/harbour-0',1,'2026-10-15 00:00:00.000000','Harbour-0','2026-10-14 23:00:00.000000');
INSERT INTO "sightings" VALUES('https://harbour.example/2026/harbour-1',1,'2026-10-15 00:00:00.000000','Harbour-1','2026-10-14 23:00:00.000000');
INSERT INTO "sightings" VALUES('https://harbour.example/2026/harbour-2',1,'2026-10-15 00:00:00.000000','Harbour-2','2026-10-14 23:00:00.000000');
INSERT INTO "sightings" VALUES('https://harbour.example/2026/harbour-3',1,'2026-10-15 00:00:00.000000','Harbour-3','2026-10-14 23:00:00.000000');
INSERT INTO "sightings" VALUES('https://harbour.example/2026/harbour-4',1,'2026-10-15 00:00:00.000000','Harbour-4','2026-10-14 23:00:00.000000');
INSERT INTO "sightings" VALUES('https://harbour.example/2026/harbour-5',1,'2026-10-15 00:00:00.000000','Harbour-5','2026-10-14 23:00:00.000000');
INSERT INTO "sightings" VALUES('https://harbour.example/2026/never-fetched',1,'2026-10-15 00:00:00.000000','Never-Fetched','2026-10-14 23:00:00.000000');
INSERT INTO "sightings" VALUES('https://harbour.example/2026/harbour-0',3,'2026-10-15 00:00:00.000000','Harbour-0','2026-10-14 23:00:00.000000');
INSERT INTO "sightings" VALUES('https://harbour.example/2026/harbour-1',3,'2026-10-15 00:00:00.000000','Harbour-1','2026-10-14 23:00:00.000000');
INSERT INTO "sightings" VALUES('https://valley.example/2026/valley-0',5,'2026-10-15 00:00:00.000000','Valley-0','2026-10-14 23:00:00.000000');
INSERT INTO "sightings" VALUES('https://valley.example/2026/valley-1',5,'2026-10-15 00:00:00.000000','Valley-1','2026-10-14 23:00:00.000000');
INSERT INTO "sightings" VALUES('https://valley.example/2026/valley-2',5,'2026-10-15 00:00:00.000000','Valley-2','2026-10-14 23:00:00.000000');
INSERT INTO "sightings" VALUES('https://valley.example/2026/valley-3',5,'2026-10-15 00:00:00.000000','Valley-3','2026-10-14 23:00:00.000000');
INSERT INTO "sightings" VALUES('https://valley.example/2026/valley-4',5,'2026-10-15 00:00:00.000000','Valley-4','2026-10-14 23:00:00.000000');
INSERT INTO "sightings" VALUES('https://valley.example/2026/valley-5',5,'2026-10-15 00:00:00.000000','Valley-5','2026-10-14 23:00:00.000000');
INSERT INTO "sightings" VALUES('https://valley.example/2026/never-fetched',5,'2026-10-15 00:00:00.000000','Never-Fetched','2026-10-14 23:00:00.000000');
INSERT INTO "sightings" VALUES('https://valley.example/2026/valley-0',7,'2026-10-15 00:00:00.000000','Valley-0','2026-10-14 23:00:00.000000');
INSERT INTO "sightings" VALUES('https://valley.example/2026/valley-1',7,'2026-10-15 00:00:00.000000','Valley-1','2026-10-14 23:00:00.000000');
INSERT INTO "sightings" VALUES('https://ridge.example/2026/ridge-0',9,'2026-10-15 00:00:00.000000','Ridge-0','2026-10-14 23:00:00.000000');
INSERT INTO "sightings" VALUES('https://ridge.example/2026/ridge-1',9,'2026-10-15 00:00:00.000000','Ridge-1','2026-10-14 23:00:00.000000');
INSERT INTO "sightings" VALUES('https://ridge.example/2026/ridge-2',9,'2026-10-15 00:00:00.000000','Ridge-2','2026-10-14 23:00:00.000000');
INSERT INTO "sightings" VALUES('https://ridge.example/2026/ridge-3',9,'2026-10-15 00:00:00.000000','Ridge-3','2026-10-14 23:00:00.000000');
INSERT INTO "sightings" VALUES('https://ridge.example/2026/ridge-4',9,'2026-10-15 00:00:00.000000','Ridge-4','2026-10-14 23:00:00.000000');
INSERT INTO "sightings" VALUES('https://ridge.example/2026/ridge-5',9,'2026-10-15 00:00:00.000000','Ridge-5','2026-10-14 23:00:00.000000');
INSERT INTO "sightings" VALUES('https://ridge.example/2026/never-fetched',9,'2026-10-15 00:00:00.000000','Never-Fetched','2026-10-14 23:00:00.000000');
INSERT INTO "sightings" VALUES('https://ridge.example/2026/ridge-0',11,'2026-10-15 00:00:00.000000','Ridge-0','2026-10-14 23:00:00.000000');
INSERT INTO "sightings" VALUES('https://ridge.example/2026/ridge-1',11,'2026-10-15 00:00:00.000000','Ridge-1','2026-10-14 23:00:00.000000');
CREATE TABLE signature_bands (
	value BIGINT NOT NULL, 
	article_id BIGINT NOT NULL, 
	CONSTRAINT pk_signature_bands PRIMARY KEY (value, article_id)
)
 WITHOUT ROWID

;
INSERT INTO "signature_bands" VALUES(192057703066973,28);
INSERT INTO "signature_bands" VALUES(806514876213091,25);
INSERT INTO "signature_bands" VALUES(1051641036505322,5);
INSERT INTO "signature_bands" VALUES(1051641036505322,12);
INSERT INTO "signature_bands" VALUES(1051641036505322,14);
INSERT INTO "signature_bands" VALUES(1051641036505322,15);
INSERT INTO "signature_bands" VALUES(1051641036505322,16);
INSERT INTO "signature_bands" VALUES(1051641036505322,17);
INSERT INTO "signature_bands" VALUES(1051641036505322,31);
INSERT INTO "signature_bands" VALUES(1051641036505322,34);
INSERT INTO "signature_bands" VALUES(1051641036505322,38);
INSERT INTO "signature_bands" VALUES(8447145287704165,21);
INSERT INTO "signature_bands" VALUES(8447145287704165,22);
INSERT INTO "signature_bands" VALUES(9014581830803537,1);
INSERT INTO "signature_bands" VALUES(9014581830803537,3);
INSERT INTO "signature_bands" VALUES(9014581830803537,4);
INSERT INTO "signature_bands" VALUES(9014581830803537,5);
INSERT INTO "signature_bands" VALUES(9014581830803537,6);
INSERT INTO "signature_bands" VALUES(9014581830803537,34);
INSERT INTO "signature_bands" VALUES(12717756118173462,1);
INSERT INTO "signature_bands" VALUES(12717756118173462,31);
INSERT INTO "signature_bands" VALUES(15659499881899771,21);
INSERT INTO "signature_bands" VALUES(15659499881899771,22);
INSERT INTO "signature_bands" VALUES(20937532332491802,11);
INSERT INTO "signature_bands" VALUES(20937532332491802,34);
INSERT INTO "signature_bands" VALUES(21259033743187426,30);
INSERT INTO "signature_bands" VALUES(24177758700243710,17);
INSERT INTO "signature_bands" VALUES(29741826335090053,12);
INSERT INTO "signature_bands" VALUES(36330232129473601,27);
INSERT INTO "signature_bands" VALUES(36754485359389831,23);
INSERT INTO "signature_bands" VALUES(37928763516424310,4);
INSERT INTO "signature_bands" VALUES(37928763516424310,10);
INSERT INTO "signature_bands" VALUES(37928763516424310,16);
INSERT INTO "signature_bands" VALUES(37928763516424310,33);
INSERT INTO "signature_bands" VALUES(51498772258418992,12);
INSERT INTO "signature_bands" VALUES(53482660616032995,28);
INSERT INTO "signature_bands" VALUES(55648869443663136,9);
INSERT INTO "signature_bands" VALUES(57334315824117980,4);
INSERT INTO "signature_bands" VALUES(61049860816558974,29);
INSERT INTO "signature_bands" VALUES(63428224248266549,6);
INSERT INTO "signature_bands" VALUES(63428224248266549,22);
INSERT INTO "signature_bands" VALUES(64287855874412009,10);
INSERT INTO "signature_bands" VALUES(69602958149808245,38);
INSERT INTO "signature_bands" VALUES(71028234615347296,8);
INSERT INTO "signature_bands" VALUES(71028234615347296,26);
INSERT INTO "signature_bands" VALUES(87132912406791982,13);
INSERT INTO "signature_bands" VALUES(87405721154547638,21);
INSERT INTO "signature_bands" VALUES(87405721154547638,22);
INSERT INTO "signature_bands" VALUES(95665340723766881,8);
INSERT INTO "signature_bands" VALUES(95665340723766881,32);
INSERT INTO "signature_bands" VALUES(96697299071768942,8);
INSERT INTO "signature_bands" VALUES(97286268410610272,24);
INSERT INTO "signature_bands" VALUES(97286268410610272,25);
INSERT INTO "signature_bands" VALUES(97286268410610272,26);
INSERT INTO "signature_bands" VALUES(110508148367830711,30);
INSERT INTO "signature_bands" VALUES(112072376608776483,14);
INSERT INTO "signature_bands" VALUES(114522031341278102,3);
INSERT INTO "signature_bands" VALUES(117782350919319742,5);
INSERT INTO "signature_bands" VALUES(117782350919319742,34);
INSERT INTO "signature_bands" VALUES(126286126653172684,11);
INSERT INTO "signature_bands" VALUES(126286126653172684,34);
INSERT INTO "signature_bands" VALUES(128106830384347059,38);
INSERT INTO "signature_bands" VALUES(129109829583998464,3);
INSERT INTO "signature_bands" VALUES(130406924171300477,12);
INSERT INTO "signature_bands" VALUES(131545488726921511,29);
INSERT INTO "signature_bands" VALUES(131711029416267660,24);
INSERT INTO "signature_bands" VALUES(131711029416267660,25);
INSERT INTO "signature_bands" VALUES(131711029416267660,26);
INSERT INTO "signature_bands" VALUES(132337404715552016,16);
INSERT INTO "signature_bands" VALUES(133685246918942855,19);
INSERT INTO "signature_bands" VALUES(133685246918942855,20);
INSERT INTO "signature_bands" VALUES(141422858781965145,6);
INSERT INTO "signature_bands" VALUES(141422858781965145,12);
INSERT INTO "signature_bands" VALUES(141422858781965145,18);
INSERT INTO "signature_bands" VALUES(142115886549896354,1);
INSERT INTO "signature_bands" VALUES(142115886549896354,2);
INSERT INTO "signature_bands" VALUES(142115886549896354,3);
INSERT INTO "signature_bands" VALUES(142115886549896354,4);
INSERT INTO "signature_bands" VALUES(142115886549896354,7);
INSERT INTO "signature_bands" VALUES(142115886549896354,8);
INSERT INTO "signature_bands" VALUES(142115886549896354,9);
INSERT INTO "signature_bands" VALUES(142115886549896354,10);
INSERT INTO "signature_bands" VALUES(142115886549896354,12);
INSERT INTO "signature_bands" VALUES(142115886549896354,13);
INSERT INTO "signature_bands" VALUES(142115886549896354,14);
INSERT INTO "signature_bands" VALUES(142115886549896354,15);
INSERT INTO "signature_bands" VALUES(142115886549896354,17);
INSERT INTO "signature_bands" VALUES(142115886549896354,18);
INSERT INTO "signature_bands" VALUES(142115886549896354,21);
INSERT INTO "signature_bands" VALUES(142115886549896354,22);
INSERT INTO "signature_bands" VALUES(142115886549896354,26);
INSERT INTO "signature_bands" VALUES(142115886549896354,27);
INSERT INTO "signature_bands" VALUES(142115886549896354,28);
INSERT INTO "signature_bands" VALUES(142115886549896354,29);
INSERT INTO "signature_bands" VALUES(142115886549896354,30);
INSERT INTO "signature_bands" VALUES(142115886549896354,31);
INSERT INTO "signature_bands" VALUES(142115886549896354,33);
INSERT INTO "signature_bands" VALUES(142793185749268402,8);
INSERT INTO "signature_bands" VALUES(146778775047834359,13);
INSERT INTO "signature_bands" VALUES(146840720103376204,1);
INSERT INTO "signature_bands" VALUES(148336424233556487,32);
INSERT INTO "signature_bands" VALUES(152604972504359606,12);
INSERT INTO "signature_bands" VALUES(155989668547744838,11);
INSERT INTO "signature_bands" VALUES(155989668547744838,34);
INSERT INTO "signature_bands" VALUES(163208791334331068,12);
INSERT INTO "signature_bands" VALUES(165807451422109620,2);
INSERT INTO "signature_bands" VALUES(168010007468973869,29);
INSERT INTO "signature_bands" VALUES(168020487940880750,4);
INSERT INTO "signature_bands" VALUES(168020487940880750,10);
INSERT INTO "signature_bands" VALUES(168020487940880750,16);
INSERT INTO "signature_bands" VALUES(180480138806692913,17);
INSERT INTO "signature_bands" VALUES(192333018329167737,4);
INSERT INTO "signature_bands" VALUES(192333018329167737,14);
INSERT INTO "signature_bands" VALUES(192333018329167737,27);
INSERT INTO "signature_bands" VALUES(203606118356838758,21);
INSERT INTO "signature_bands" VALUES(203606118356838758,22);
INSERT INTO "signature_bands" VALUES(203937156991317372,27);
INSERT INTO "signature_bands" VALUES(204598995036363186,1);
INSERT INTO "signature_bands" VALUES(204598995036363186,24);
INSERT INTO "signature_bands" VALUES(204598995036363186,25);
INSERT INTO "signature_bands" VALUES(204598995036363186,26);
INSERT INTO "signature_bands" VALUES(207799959901046577,2);
INSERT INTO "signature_bands" VALUES(210908446305905759,14);
INSERT INTO "signature_bands" VALUES(218607828148756516,1);
INSERT INTO "signature_bands" VALUES(218607828148756516,32);
INSERT INTO "signature_bands" VALUES(219603827901765869,5);
INSERT INTO "signature_bands" VALUES(219603827901765869,6);
INSERT INTO "signature_bands" VALUES(219603827901765869,9);
INSERT INTO "signature_bands" VALUES(219603827901765869,26);
INSERT INTO "signature_bands" VALUES(219603827901765869,27);
INSERT INTO "signature_bands" VALUES(219603827901765869,34);
INSERT INTO "signature_bands" VALUES(222145709102149338,14);
INSERT INTO "signature_bands" VALUES(222145709102149338,15);
INSERT INTO "signature_bands" VALUES(222145709102149338,16);
INSERT INTO "signature_bands" VALUES(222145709102149338,17);
INSERT INTO "signature_bands" VALUES(222145709102149338,18);
INSERT INTO "signature_bands" VALUES(225139285539905178,27);
INSERT INTO "signature_bands" VALUES(232953282433990328,32);
INSERT INTO "signature_bands" VALUES(233087612078703178,31);
INSERT INTO "signature_bands" VALUES(234523989620554723,10);
INSERT INTO "signature_bands" VALUES(235971175933363490,23);
INSERT INTO "signature_bands" VALUES(236606810174594489,14);
INSERT INTO "signature_bands" VALUES(237187657432653171,25);
INSERT INTO "signature_bands" VALUES(237730259866895689,15);
INSERT INTO "signature_bands" VALUES(249436988210349609,4);
INSERT INTO "signature_bands" VALUES(249436988210349609,8);
INSERT INTO "signature_bands" VALUES(249436988210349609,16);
INSERT INTO "signature_bands" VALUES(249436988210349609,19);
INSERT INTO "signature_bands" VALUES(249436988210349609,20);
INSERT INTO "signature_bands" VALUES(249436988210349609,22);
INSERT INTO "signature_bands" VALUES(249436988210349609,28);
INSERT INTO "signature_bands" VALUES(256503195448099695,26);
INSERT INTO "signature_bands" VALUES(262387654092271286,29);
INSERT INTO "signature_bands" VALUES(262940895478732788,1);
INSERT INTO "signature_bands" VALUES(265643667530007935,1);
INSERT INTO "signature_bands" VALUES(274131233916607797,12);
INSERT INTO "signature_bands" VALUES(274131233916607797,23);
INSERT INTO "signature_bands" VALUES(274131233916607797,26);
INSERT INTO "signature_bands" VALUES(274753493250056038,2);
INSERT INTO "signature_bands" VALUES(277028997648467755,7);
INSERT INTO "signature_bands" VALUES(279278006772552854,21);
INSERT INTO "signature_bands" VALUES(279278006772552854,22);
INSERT INTO "signature_bands" VALUES(280246414870867789,14);
INSERT INTO "signature_bands" VALUES(282165917840840263,19);
INSERT INTO "signature_bands" VALUES(282165917840840263,20);
INSERT INTO "signature_bands" VALUES(284944829769181622,24);
INSERT INTO "signature_bands" VALUES(284944829769181622,25);
INSERT INTO "signature_bands" VALUES(284944829769181622,26);
INSERT INTO "signature_bands" VALUES(289943747166771268,24);
INSERT INTO "signature_bands" VALUES(289943747166771268,25);
INSERT INTO "signature_bands" VALUES(289943747166771268,26);
INSERT INTO "signature_bands" VALUES(291548450485389133,10);
INSERT INTO "signature_bands" VALUES(291548450485389133,33);
INSERT INTO "signature_bands" VALUES(292057397348710682,27);
INSERT INTO "signature_bands" VALUES(294778279382525122,30);
INSERT INTO "signature_bands" VALUES(296849604861514105,6);
INSERT INTO "signature_bands" VALUES(297753512048396213,1);
INSERT INTO "signature_bands" VALUES(298703901533037084,9);
INSERT INTO "signature_bands" VALUES(298703901533037084,10);
INSERT INTO "signature_bands" VALUES(298703901533037084,11);
INSERT INTO "signature_bands" VALUES(298703901533037084,19);
INSERT INTO "signature_bands" VALUES(298703901533037084,20);
INSERT INTO "signature_bands" VALUES(298703901533037084,27);
INSERT INTO "signature_bands" VALUES(298703901533037084,29);
INSERT INTO "signature_bands" VALUES(298703901533037084,30);
INSERT INTO "signature_bands" VALUES(298703901533037084,33);
INSERT INTO "signature_bands" VALUES(298703901533037084,34);
INSERT INTO "signature_bands" VALUES(301149608764205156,28);
INSERT INTO "signature_bands" VALUES(307713327644029584,31);
INSERT INTO "signature_bands" VALUES(308169732341114823,3);
INSERT INTO "signature_bands" VALUES(314001373222410320,8);
INSERT INTO "signature_bands" VALUES(315475533534648974,19);
INSERT INTO "signature_bands" VALUES(315475533534648974,20);
INSERT INTO "signature_bands" VALUES(317608384436967809,8);
INSERT INTO "signature_bands" VALUES(317608384436967809,25);
INSERT INTO "signature_bands" VALUES(319289948938130157,8);
INSERT INTO "signature_bands" VALUES(326425853391984008,27);
INSERT INTO "signature_bands" VALUES(328986176676008193,2);
INSERT INTO "signature_bands" VALUES(329132529778007544,4);
INSERT INTO "signature_bands" VALUES(338893542327851669,8);
INSERT INTO "signature_bands" VALUES(340977207544034903,2);
INSERT INTO "signature_bands" VALUES(342520364786578311,7);
INSERT INTO "signature_bands" VALUES(342641832876066587,7);
INSERT INTO "signature_bands" VALUES(352903652652831314,2);
INSERT INTO "signature_bands" VALUES(352903652652831314,3);
INSERT INTO "signature_bands" VALUES(352903652652831314,4);
INSERT INTO "signature_bands" VALUES(352903652652831314,5);
INSERT INTO "signature_bands" VALUES(352903652652831314,6);
INSERT INTO "signature_bands" VALUES(352903652652831314,7);
INSERT INTO "signature_bands" VALUES(352903652652831314,8);
INSERT INTO "signature_bands" VALUES(352903652652831314,9);
INSERT INTO "signature_bands" VALUES(352903652652831314,10);
INSERT INTO "signature_bands" VALUES(352903652652831314,11);
INSERT INTO "signature_bands" VALUES(352903652652831314,12);
INSERT INTO "signature_bands" VALUES(352903652652831314,13);
INSERT INTO "signature_bands" VALUES(352903652652831314,15);
INSERT INTO "signature_bands" VALUES(352903652652831314,16);
INSERT INTO "signature_bands" VALUES(352903652652831314,17);
INSERT INTO "signature_bands" VALUES(352903652652831314,18);
INSERT INTO "signature_bands" VALUES(352903652652831314,19);
INSERT INTO "signature_bands" VALUES(352903652652831314,20);
INSERT INTO "signature_bands" VALUES(352903652652831314,21);
INSERT INTO "signature_bands" VALUES(352903652652831314,22);
INSERT INTO "signature_bands" VALUES(352903652652831314,23);
INSERT INTO "signature_bands" VALUES(352903652652831314,26);
INSERT INTO "signature_bands" VALUES(352903652652831314,27);
INSERT INTO "signature_bands" VALUES(352903652652831314,28);
INSERT INTO "signature_bands" VALUES(352903652652831314,29);
INSERT INTO "signature_bands" VALUES(352903652652831314,30);
INSERT INTO "signature_bands" VALUES(352903652652831314,31);
INSERT INTO "signature_bands" VALUES(352903652652831314,33);
INSERT INTO "signature_bands" VALUES(352903652652831314,34);
INSERT INTO "signature_bands" VALUES(352903652652831314,38);
INSERT INTO "signature_bands" VALUES(356139238401456073,21);
INSERT INTO "signature_bands" VALUES(356139238401456073,22);
INSERT INTO "signature_bands" VALUES(360458570261028527,27);
INSERT INTO "signature_bands" VALUES(361012622669736341,19);
INSERT INTO "signature_bands" VALUES(361012622669736341,20);
INSERT INTO "signature_bands" VALUES(361726522177233263,6);
INSERT INTO "signature_bands" VALUES(364349090425778251,32);
INSERT INTO "signature_bands" VALUES(369033266995300958,8);
INSERT INTO "signature_bands" VALUES(371161609403173925,12);
INSERT INTO "signature_bands" VALUES(373395581825008211,30);
INSERT INTO "signature_bands" VALUES(379969484673659637,4);
INSERT INTO "signature_bands" VALUES(379969484673659637,10);
INSERT INTO "signature_bands" VALUES(379969484673659637,13);
INSERT INTO "signature_bands" VALUES(379969484673659637,14);
INSERT INTO "signature_bands" VALUES(379969484673659637,15);
INSERT INTO "signature_bands" VALUES(379969484673659637,19);
INSERT INTO "signature_bands" VALUES(379969484673659637,20);
INSERT INTO "signature_bands" VALUES(379969484673659637,30);
INSERT INTO "signature_bands" VALUES(379969484673659637,33);
INSERT INTO "signature_bands" VALUES(379969484673659637,38);
INSERT INTO "signature_bands" VALUES(382383756958440667,4);
INSERT INTO "signature_bands" VALUES(382930629345817074,29);
INSERT INTO "signature_bands" VALUES(387956048703993935,15);
INSERT INTO "signature_bands" VALUES(394856035028762130,3);
INSERT INTO "signature_bands" VALUES(394856035028762130,5);
INSERT INTO "signature_bands" VALUES(394856035028762130,7);
INSERT INTO "signature_bands" VALUES(394856035028762130,11);
INSERT INTO "signature_bands" VALUES(394856035028762130,12);
INSERT INTO "signature_bands" VALUES(394856035028762130,24);
INSERT INTO "signature_bands" VALUES(394856035028762130,25);
INSERT INTO "signature_bands" VALUES(394856035028762130,26);
INSERT INTO "signature_bands" VALUES(394856035028762130,30);
INSERT INTO "signature_bands" VALUES(394856035028762130,34);
INSERT INTO "signature_bands" VALUES(397096243332029252,2);
INSERT INTO "signature_bands" VALUES(397096243332029252,6);
INSERT INTO "signature_bands" VALUES(397096243332029252,7);
INSERT INTO "signature_bands" VALUES(397096243332029252,11);
INSERT INTO "signature_bands" VALUES(397096243332029252,13);
INSERT INTO "signature_bands" VALUES(397096243332029252,15);
INSERT INTO "signature_bands" VALUES(397096243332029252,17);
INSERT INTO "signature_bands" VALUES(397096243332029252,27);
INSERT INTO "signature_bands" VALUES(397096243332029252,30);
INSERT INTO "signature_bands" VALUES(397096243332029252,31);
INSERT INTO "signature_bands" VALUES(397096243332029252,34);
INSERT INTO "signature_bands" VALUES(398334244981137828,13);
INSERT INTO "signature_bands" VALUES(400898125859940740,23);
INSERT INTO "signature_bands" VALUES(403981019132803958,3);
INSERT INTO "signature_bands" VALUES(404734738321264752,28);
INSERT INTO "signature_bands" VALUES(405141095909674401,31);
INSERT INTO "signature_bands" VALUES(406661249798934362,23);
INSERT INTO "signature_bands" VALUES(407346956701747010,28);
INSERT INTO "signature_bands" VALUES(410014658026076807,5);
INSERT INTO "signature_bands" VALUES(410014658026076807,34);
INSERT INTO "signature_bands" VALUES(410974289183823827,28);
INSERT INTO "signature_bands" VALUES(414805586462028245,7);
INSERT INTO "signature_bands" VALUES(414905412435986849,3);
INSERT INTO "signature_bands" VALUES(414905412435986849,17);
INSERT INTO "signature_bands" VALUES(414905412435986849,21);
INSERT INTO "signature_bands" VALUES(414905412435986849,22);
INSERT INTO "signature_bands" VALUES(414905412435986849,29);
INSERT INTO "signature_bands" VALUES(414905412435986849,30);
INSERT INTO "signature_bands" VALUES(414905412435986849,38);
INSERT INTO "signature_bands" VALUES(416535924353051236,1);
INSERT INTO "signature_bands" VALUES(416934298904470970,19);
INSERT INTO "signature_bands" VALUES(416934298904470970,20);
INSERT INTO "signature_bands" VALUES(419008779049077963,17);
INSERT INTO "signature_bands" VALUES(424327689054787694,17);
INSERT INTO "signature_bands" VALUES(428075402172759271,19);
INSERT INTO "signature_bands" VALUES(428075402172759271,20);
INSERT INTO "signature_bands" VALUES(428236047220432003,5);
INSERT INTO "signature_bands" VALUES(430401690601969645,10);
INSERT INTO "signature_bands" VALUES(436864857721061405,6);
INSERT INTO "signature_bands" VALUES(440337877156108850,18);
INSERT INTO "signature_bands" VALUES(441659807220973015,4);
INSERT INTO "signature_bands" VALUES(448822910809660271,16);
INSERT INTO "signature_bands" VALUES(450837277071744448,25);
INSERT INTO "signature_bands" VALUES(452070631219071272,14);
INSERT INTO "signature_bands" VALUES(452070631219071272,28);
INSERT INTO "signature_bands" VALUES(452070631219071272,30);
INSERT INTO "signature_bands" VALUES(452822680393790346,3);
INSERT INTO "signature_bands" VALUES(454712005046184765,2);
INSERT INTO "signature_bands" VALUES(460590704712919484,11);
INSERT INTO "signature_bands" VALUES(460590704712919484,18);
INSERT INTO "signature_bands" VALUES(460590704712919484,23);
INSERT INTO "signature_bands" VALUES(468304531638764124,3);
INSERT INTO "signature_bands" VALUES(469460124704660664,2);
INSERT INTO "signature_bands" VALUES(471922079218585401,31);
INSERT INTO "signature_bands" VALUES(478645391217908372,13);
INSERT INTO "signature_bands" VALUES(484863344322453228,1);
INSERT INTO "signature_bands" VALUES(493754230247391641,19);
INSERT INTO "signature_bands" VALUES(493993690966423665,15);
INSERT INTO "signature_bands" VALUES(499010648316570461,24);
INSERT INTO "signature_bands" VALUES(499010648316570461,25);
INSERT INTO "signature_bands" VALUES(504013758157366754,10);
INSERT INTO "signature_bands" VALUES(504013758157366754,33);
INSERT INTO "signature_bands" VALUES(506274126829670280,2);
INSERT INTO "signature_bands" VALUES(506274126829670280,5);
INSERT INTO "signature_bands" VALUES(506274126829670280,13);
INSERT INTO "signature_bands" VALUES(506274126829670280,17);
INSERT INTO "signature_bands" VALUES(506274126829670280,19);
INSERT INTO "signature_bands" VALUES(506274126829670280,20);
INSERT INTO "signature_bands" VALUES(506274126829670280,23);
INSERT INTO "signature_bands" VALUES(506274126829670280,24);
INSERT INTO "signature_bands" VALUES(506274126829670280,28);
INSERT INTO "signature_bands" VALUES(509613414824475708,6);
INSERT INTO "signature_bands" VALUES(509613414824475708,9);
INSERT INTO "signature_bands" VALUES(509613414824475708,16);
INSERT INTO "signature_bands" VALUES(509613414824475708,18);
INSERT INTO "signature_bands" VALUES(509613414824475708,32);
INSERT INTO "signature_bands" VALUES(517114632555423289,9);
INSERT INTO "signature_bands" VALUES(517658668147283856,38);
INSERT INTO "signature_bands" VALUES(520597296188009484,6);
INSERT INTO "signature_bands" VALUES(520723306698224790,24);
INSERT INTO "signature_bands" VALUES(520723306698224790,25);
INSERT INTO "signature_bands" VALUES(531549610373725114,6);
INSERT INTO "signature_bands" VALUES(531549610373725114,13);
INSERT INTO "signature_bands" VALUES(531549610373725114,16);
INSERT INTO "signature_bands" VALUES(531549610373725114,20);
INSERT INTO "signature_bands" VALUES(531549610373725114,31);
INSERT INTO "signature_bands" VALUES(531549610373725114,32);
INSERT INTO "signature_bands" VALUES(533295832549552722,17);
INSERT INTO "signature_bands" VALUES(539882978045747055,3);
INSERT INTO "signature_bands" VALUES(541775126075693087,28);
INSERT INTO "signature_bands" VALUES(542659595876021036,1);
INSERT INTO "signature_bands" VALUES(547282459779634799,31);
INSERT INTO "signature_bands" VALUES(557482148149515943,7);
INSERT INTO "signature_bands" VALUES(557482148149515943,9);
INSERT INTO "signature_bands" VALUES(557482148149515943,11);
INSERT INTO "signature_bands" VALUES(557482148149515943,14);
INSERT INTO "signature_bands" VALUES(557482148149515943,15);
INSERT INTO "signature_bands" VALUES(557482148149515943,16);
INSERT INTO "signature_bands" VALUES(557482148149515943,23);
INSERT INTO "signature_bands" VALUES(557482148149515943,38);
INSERT INTO "signature_bands" VALUES(562624111788355418,21);
INSERT INTO "signature_bands" VALUES(562624111788355418,22);
INSERT INTO "signature_bands" VALUES(565085773971567591,18);
INSERT INTO "signature_bands" VALUES(565238348211037655,7);
INSERT INTO "signature_bands" VALUES(574915436122300394,14);
INSERT INTO "signature_bands" VALUES(574962747567844837,38);
INSERT INTO "signature_bands" VALUES(584172118234350219,29);
INSERT INTO "signature_bands" VALUES(590460324099621110,23);
INSERT INTO "signature_bands" VALUES(594894403749633604,16);
INSERT INTO "signature_bands" VALUES(602401480634152781,18);
INSERT INTO "signature_bands" VALUES(602921568305038342,31);
INSERT INTO "signature_bands" VALUES(607497642267699442,18);
INSERT INTO "signature_bands" VALUES(609356568749881887,9);
INSERT INTO "signature_bands" VALUES(609356568749881887,23);
INSERT INTO "signature_bands" VALUES(609356568749881887,32);
INSERT INTO "signature_bands" VALUES(618395532140859931,38);
INSERT INTO "signature_bands" VALUES(627784532940701650,18);
INSERT INTO "signature_bands" VALUES(632762371394136772,15);
INSERT INTO "signature_bands" VALUES(634855622896964004,2);
INSERT INTO "signature_bands" VALUES(634855622896964004,5);
INSERT INTO "signature_bands" VALUES(637658359211478477,5);
INSERT INTO "signature_bands" VALUES(637658359211478477,7);
INSERT INTO "signature_bands" VALUES(637658359211478477,9);
INSERT INTO "signature_bands" VALUES(637658359211478477,10);
INSERT INTO "signature_bands" VALUES(637658359211478477,11);
INSERT INTO "signature_bands" VALUES(637658359211478477,13);
INSERT INTO "signature_bands" VALUES(637658359211478477,15);
INSERT INTO "signature_bands" VALUES(637658359211478477,18);
INSERT INTO "signature_bands" VALUES(637658359211478477,21);
INSERT INTO "signature_bands" VALUES(637658359211478477,23);
INSERT INTO "signature_bands" VALUES(637658359211478477,29);
INSERT INTO "signature_bands" VALUES(637658359211478477,33);
INSERT INTO "signature_bands" VALUES(637658359211478477,38);
INSERT INTO "signature_bands" VALUES(638658334803419855,21);
INSERT INTO "signature_bands" VALUES(650673592538714328,29);
INSERT INTO "signature_bands" VALUES(651724736289214759,7);
INSERT INTO "signature_bands" VALUES(651724736289214759,9);
INSERT INTO "signature_bands" VALUES(651724736289214759,33);
INSERT INTO "signature_bands" VALUES(668057787309443426,13);
INSERT INTO "signature_bands" VALUES(673658066704513995,33);
INSERT INTO "signature_bands" VALUES(679985513458451831,24);
INSERT INTO "signature_bands" VALUES(688198768135107142,32);
INSERT INTO "signature_bands" VALUES(702905110161241024,9);
INSERT INTO "signature_bands" VALUES(702905110161241024,24);
INSERT INTO "signature_bands" VALUES(720182828359024394,38);
INSERT INTO "signature_bands" VALUES(726711788183512522,5);
INSERT INTO "signature_bands" VALUES(732652953026952834,24);
INSERT INTO "signature_bands" VALUES(748100946885230304,32);
INSERT INTO "signature_bands" VALUES(748847006766143145,11);
INSERT INTO "signature_bands" VALUES(748847006766143145,32);
INSERT INTO "signature_bands" VALUES(748847006766143145,33);
INSERT INTO "signature_bands" VALUES(751193807955751228,11);
INSERT INTO "signature_bands" VALUES(781343947839101296,32);
INSERT INTO "signature_bands" VALUES(977477831594170789,33);
CREATE TABLE signatures (
	article_id INTEGER NOT NULL, 
	algorithm VARCHAR(32) NOT NULL, 
	shingles INTEGER NOT NULL, 
	sketch BLOB NOT NULL, 
	CONSTRAINT pk_signatures PRIMARY KEY (article_id), 
	CONSTRAINT fk_signatures_article_id FOREIGN KEY(article_id) REFERENCES articles (id)
);
INSERT INTO "signatures" VALUES(1,'bottom-k/1',202,X'002006B6E3D2E051002D2EBB57C3871601F8E5A556BF0CA20209AEDB6053054C02D6E1B3B48B59B20308A6A955ED202403A62759EFEED7F403AFC18217F5457F0421D53DDC4507B505C7D5375F40AA6406BA94A48AF29EEC0787EA06FE25B32C');
INSERT INTO "signatures" VALUES(2,'bottom-k/1',204,X'01F8E5A556BF0CA2024D10FFA320AFB402E240F66A3E073103D01ED8ADF79F660490CB2F44C9910104BB64F6B42AB65704E5C400984F52520582C4EDED729B44064F7628CFE22B3D0683DB7F013B5CB80706A5A2D0A74F8808CF75D34E6ED1A4');
INSERT INTO "signatures" VALUES(3,'bottom-k/1',203,X'002006B6E3D2E0510196DD2E450D939601CAB0B4B95D8E0001F8E5A556BF0CA20446D6BD22B827C704E5C400984F5252057ACF78C94EFE12059B3A98B5693B7605C20A463BA249A10648BFD4231CB38A067FC07D8708C25C077E0CB546B25F6F');
INSERT INTO "signatures" VALUES(4,'bottom-k/1',209,X'002006B6E3D2E0510086C0026C2A907600CBB141A822F8DC01F8E5A556BF0CA20254EDBE5AB4396E02AB4DDC7416B77903762D9E841F06290491504AC1719DF804E5C400984F52520545EC3BAF7632F5054E800041631CDB0621174130F93DD7');
INSERT INTO "signatures" VALUES(5,'bottom-k/1',209,X'0003BC76426980EA002006B6E3D2E05101A2726C935B40BE030C3084996698ED04E5C400984F5252057ACF78C94EFE1205B0AA28BC58FA8705F1666A82975C830706A5A2D0A74F8808CF75D34E6ED1A408D96AE634DBCDCD0A15CC8564C465CA');
INSERT INTO "signatures" VALUES(6,'bottom-k/1',213,X'002006B6E3D2E05100E157A2470D3F3501F66F573CD1BB59030C3084996698ED041E9F24917C517904E5C400984F525205051C5AFC36216F0582C4EDED729B4406100E460350C01D071282B36362FC3C0739887B8E50AC0C0760718DEAD2BBBA');
INSERT INTO "signatures" VALUES(7,'bottom-k/1',207,X'01F8E5A556BF0CA203D83467D551C72B04C0E074FF70F38704C14EEE7DC4471B04E5C400984F5252057ACF78C94EFE120582C4EDED729B4405C1AF7BAFEAB1D507BC930F6112D6A707D821486E8C25D708D96AE634DBCDCD090B6431D5DA9127');
INSERT INTO "signatures" VALUES(8,'bottom-k/1',217,X'00FC57CD954558600153DF1EDB282661015789AE61E9996E01F8E5A556BF0CA201FB4DA558EE77B203762D9E841F0629045B8E95D5E8185004685F24940D1981046E588452CF52ED04B3FDE197201A9504E5C400984F5252051F11CD158E8A5E');
INSERT INTO "signatures" VALUES(9,'bottom-k/1',205,X'00C5B45A1757752001F8E5A556BF0CA2030C3084996698ED0425359DA7E6621C04E5C400984F5252071282B36362FC3C072D2904BD9F663907BC930F6112D6A70874DE921DE33A1F08D96AE634DBCDCD090B6431D5DA912709C1387939F7B3C0');
INSERT INTO "signatures" VALUES(10,'bottom-k/1',213,X'0086C0026C2A907600E46576DCC40DE901F8E5A556BF0CA20254EDBE5AB4396E0341325374A3FBE3040BC9C561FF474D0425359DA7E6621C04E5C400984F52520545EC3BAF7632F505F9180EA70ED7ED06FE9DD7B8E125E208D96AE634DBCDCD');
INSERT INTO "signatures" VALUES(11,'bottom-k/1',202,X'004A62932126C41A01C0A8902738EBCC022A2FC6EE6B54460425359DA7E6621C04E5C400984F5252057ACF78C94EFE120582C4EDED729B44066458CE3D42A9BC07BC930F6112D6A708D96AE634DBCDCD0A647062956916A90A6CC6C9D0ACF13C');
INSERT INTO "signatures" VALUES(12,'bottom-k/1',195,X'0003BC76426980EA0069AA0891ACA58500B6F5DC4AD4F13001CF4C68177B4E7D01F66F573CD1BB5901F8E5A556BF0CA2021E2969F914A2B60243D587EFB422BC03CDE8E7A3705D3504E5C400984F52520526A1846ABD0C25057ACF78C94EFE12');
INSERT INTO "signatures" VALUES(13,'bottom-k/1',193,X'01358EEC1440872E01F8E5A556BF0CA202097684AB4B0AF704E5C400984F52520545EC3BAF7632F50582C4EDED729B4405872AE2A5F961A406A47D7284EBDA940706A5A2D0A74F880760718DEAD2BBBA08D96AE634DBCDCD09456B049E034962');
INSERT INTO "signatures" VALUES(14,'bottom-k/1',197,X'0003BC76426980EA018E293B94E6612301F8E5A556BF0CA202AB4DDC7416B77902ED4C1D4E316C5F031538586F692EDA034898A3E7E51DB903E3A2A127F46F4D0545EC3BAF7632F5064613D80B33092807BC930F6112D6A707FA828B09F55FEA');
INSERT INTO "signatures" VALUES(15,'bottom-k/1',206,X'0003BC76426980EA01F8E5A556BF0CA2031538586F692EDA034C96696BBA454904E5C400984F52520545EC3BAF7632F505624BF88777384F0582C4EDED729B4406DB04A50756787107BC930F6112D6A708C80606362E6AC408D96AE634DBCDCD');
INSERT INTO "signatures" VALUES(16,'bottom-k/1',194,X'0003BC76426980EA0086C0026C2A907601D6282B1E914D100254EDBE5AB4396E031538586F692EDA03762D9E841F062904E5C400984F5252063A8A0F35DDDB6F071282B36362FC3C0760718DEAD2BBBA07BC930F6112D6A708417D4EEE5D5E44');
INSERT INTO "signatures" VALUES(17,'bottom-k/1',222,X'0003BC76426980EA0055E58B1ECB0AFE01F8E5A556BF0CA2028131BAE2960C31031538586F692EDA04E5C400984F52520582C4EDED729B4405C20A463BA249A105D09E43B8FD8CCB05E383C8F679186E0706A5A2D0A74F880766A5BBF34FF252');
INSERT INTO "signatures" VALUES(18,'bottom-k/1',214,X'01F66F573CD1BB5901F8E5A556BF0CA2031538586F692EDA04E5C400984F5252061C64F75D0A1A32066458CE3D42A9BC071282B36362FC3C07D796847933B3E7085C28F4795E374D086E43E31140E8F208B656B4E16A3FD208D96AE634DBCDCD');
INSERT INTO "signatures" VALUES(19,'bottom-k/1',208,X'01DAF2061650608703762D9E841F062903EA746844A016470425359DA7E6621C0460CB5387A8DA8E04E5C400984F5252050293114DA969950545EC3BAF7632F505C93F892CE0A5BA05F0D44F6B96FCE706DA2ADB3C3E01990706A5A2D0A74F88');
INSERT INTO "signatures" VALUES(20,'bottom-k/1',208,X'01DAF2061650608703762D9E841F062903EA746844A016470425359DA7E6621C0460CB5387A8DA8E04E5C400984F5252050293114DA969950545EC3BAF7632F505C93F892CE0A5BA05F0D44F6B96FCE70706A5A2D0A74F880760718DEAD2BBBA');
INSERT INTO "signatures" VALUES(21,'bottom-k/1',162,X'001E02A2463D5E650037A23B6FD226FB0136870A50C0EFB601F8E5A556BF0CA202D35AAF96C1696603E031DE1341D49604E5C400984F525204F142C01B7F37C905C20A463BA249A107CED7A61536EF5A08D96AE634DBCDCD08DCF85F2ACCE2CF');
INSERT INTO "signatures" VALUES(22,'bottom-k/1',227,X'001E02A2463D5E650037A23B6FD226FB00E157A2470D3F350136870A50C0EFB601F8E5A556BF0CA202D35AAF96C1696603762D9E841F062903E031DE1341D49604E5C400984F525204F142C01B7F37C905C20A463BA249A107CED7A61536EF5A');
INSERT INTO "signatures" VALUES(23,'bottom-k/1',201,X'008294027BBFAC8703465688C6BD452203CDE8E7A3705D3504E5C400984F5252059046B8AF00698405A4C0408A2E8F5A066458CE3D42A9BC0706A5A2D0A74F8807BC930F6112D6A70831BC894FEB80F60874DE921DE33A1F08D96AE634DBCDCD');
INSERT INTO "signatures" VALUES(24,'bottom-k/1',138,X'0159A1587E23426001D3EE7BC15B8F8C02D6E1B3B48B59B203F453D01EF9E9B60406164D46B89844057ACF78C94EFE1206ECD78A700BEB5D0706A5A2D0A74F880739FB16AA03B496096FCB38C61A457709C1387939F7B3C00A2AE7FAA0CFFE82');
INSERT INTO "signatures" VALUES(25,'bottom-k/1',173,X'0002DD8560B3E7630159A1587E23426001D3EE7BC15B8F8C02D6E1B3B48B59B2034AA8EAF2615D7303F453D01EF9E9B60406164D46B8984404685F24940D1981057ACF78C94EFE120641B21D675D9DC006ECD78A700BEB5D0739FB16AA03B496');
INSERT INTO "signatures" VALUES(26,'bottom-k/1',230,X'00FC57CD954558600159A1587E23426001D3EE7BC15B8F8C01F8E5A556BF0CA202D6E1B3B48B59B2030C3084996698ED038F484C186FC36F03CDE8E7A3705D3503F453D01EF9E9B60406164D46B8984404E5C400984F5252057ACF78C94EFE12');
INSERT INTO "signatures" VALUES(27,'bottom-k/1',216,X'0081122754AF4C4101F8E5A556BF0CA202AB4DDC7416B77902D487C386F8757C030C3084996698ED031FDAFCC3975E9A040D98A7CEFEB91A0425359DA7E6621C0487B2958CEED58804E5C400984F525205009B28ECA75EAF0582C4EDED729B44');
INSERT INTO "signatures" VALUES(28,'bottom-k/1',204,X'0000AEACEB2AED5D00BE02324BA952E301F8E5A556BF0CA203762D9E841F0629042DE5F93EA3686404E5C400984F5252059DE819A1E6507005A72FE61E8B474205B412F0469ED7D3064613D80B3309280706A5A2D0A74F880784C59B51E2581F');
INSERT INTO "signatures" VALUES(29,'bottom-k/1',204,X'00D8E486638EDB7E01D357ECCF5F912701F8E5A556BF0CA20254E4362DE61F2D03A4302E639E2EB60425359DA7E6621C04E5C400984F525205507160E7C631F205C20A463BA249A1081B65724B0BC28B08D96AE634DBCDCD0907A82F5BFF50D8');
INSERT INTO "signatures" VALUES(30,'bottom-k/1',204,X'004B86FA8287DDE201889A9350402EB701F8E5A556BF0CA2041743488618A4C20425359DA7E6621C04E5C400984F5252052E914DA76142530545EC3BAF7632F5057ACF78C94EFE120582C4EDED729B4405C20A463BA249A1064613D80B330928');
INSERT INTO "signatures" VALUES(31,'bottom-k/1',197,X'0003BC76426980EA002D2EBB57C3871601F8E5A556BF0CA2033C17F2BF7EC24A044537A422E0329004E5C400984F52520582C4EDED729B44059F59AE219BCDA1068C9AA1757CCF390760718DEAD2BBBA0798567F5EF7966F085E01F8D23E4406');
INSERT INTO "signatures" VALUES(32,'bottom-k/1',203,X'0153DF1EDB282661020EFF3121B15A070308A6A955ED2024033B9DC6B0BD3EB8050E6D913D10B04B071282B36362FC3C0760718DEAD2BBBA0874DE921DE33A1F098CF922258DF2460A61C9D8FB3A3EE00A647062956916A90AD7E42E4A59D970');
INSERT INTO "signatures" VALUES(33,'bottom-k/1',144,X'0086C0026C2A907601F8E5A556BF0CA2040BC9C561FF474D0425359DA7E6621C04E5C400984F52520545EC3BAF7632F506FE9DD7B8E125E208D96AE634DBCDCD090B6431D5DA91270959507145FFBBCB0A647062956916A90D90B2E8AFFD59A5');
INSERT INTO "signatures" VALUES(34,'bottom-k/1',341,X'0003BC76426980EA002006B6E3D2E051004A62932126C41A01A2726C935B40BE01C0A8902738EBCC022A2FC6EE6B5446030C3084996698ED0425359DA7E6621C04E5C400984F5252057ACF78C94EFE120582C4EDED729B4405B0AA28BC58FA87');
INSERT INTO "signatures" VALUES(38,'bottom-k/1',198,X'0003BC76426980EA00F747858BD5F07501C7207BC65C37B304E5C400984F52520545EC3BAF7632F505C20A463BA249A1072F17D0E5D2179007BC930F6112D6A707FAAD9297DD2DE50894FB75C7F1D21B08D96AE634DBCDCD09FE9A7779ACFF0A');
CREATE TABLE sites (
	site VARCHAR(200) NOT NULL, 
	last_started DATETIME, 
	last_finished DATETIME, 
	day DATE, 
	requests_today INTEGER NOT NULL, 
	over_budget INTEGER NOT NULL, 
	CONSTRAINT pk_sites PRIMARY KEY (site)
);
INSERT INTO "sites" VALUES('harbour','2026-10-15 00:00:00.000000','2026-10-15 01:00:00.000000','2026-10-15',9,0);
INSERT INTO "sites" VALUES('valley','2026-10-15 00:00:00.000000','2026-10-15 01:00:00.000000','2026-10-15',9,0);
INSERT INTO "sites" VALUES('moor',NULL,'2026-10-15 00:00:00.000000',NULL,0,0);
INSERT INTO "sites" VALUES('ridge','2026-10-15 00:00:00.000000','2026-10-15 01:00:00.000000','2026-10-15',9,1);
CREATE TABLE sources (
	id INTEGER NOT NULL, 
	site TEXT NOT NULL, 
	url_key VARCHAR(4096) NOT NULL, 
	url TEXT NOT NULL, 
	kind VARCHAR(16) NOT NULL, 
	etag TEXT, 
	last_modified TEXT, 
	watermark DATETIME, 
	interval FLOAT, 
	next_due DATETIME, 
	last_fetched DATETIME, 
	last_status INTEGER, 
	failures INTEGER NOT NULL, 
	failure_kind TEXT, 
	answers INTEGER NOT NULL, 
	named INTEGER NOT NULL, 
	new INTEGER NOT NULL, 
	unusable INTEGER NOT NULL, parent TEXT, first_seen DATETIME, last_new DATETIME, last_full DATETIME, not_before DATETIME, failing_since DATETIME, retired_at DATETIME, content_hash VARCHAR(64), lies INTEGER DEFAULT '0' NOT NULL, rate FLOAT, memory JSON, moved_to TEXT, moved_times INTEGER DEFAULT '0' NOT NULL, moved_since DATETIME, 
	CONSTRAINT pk_sources PRIMARY KEY (id), 
	CONSTRAINT uq_sources_site_url_key UNIQUE (site, url_key)
);
INSERT INTO "sources" VALUES(1,'harbour','https://harbour.example/feed','https://harbour.example/feed','feed','"f1"',NULL,'2026-10-14 23:00:00.000000',3600.0,'2026-10-15 01:00:00.000000','2026-10-15 00:00:00.000000',200,0,NULL,1,7,7,0,NULL,'2026-10-15 00:00:00.000000','2026-10-15 00:00:00.000000','2026-10-15 00:00:00.000000',NULL,NULL,NULL,'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',0,NULL,NULL,NULL,0,NULL);
INSERT INTO "sources" VALUES(2,'harbour','https://harbour.example/sitemap.xml','https://harbour.example/sitemap.xml','sitemap',NULL,NULL,NULL,3600.0,'2026-10-15 01:00:00.000000','2026-10-15 00:00:00.000000',200,0,NULL,1,0,0,0,NULL,'2026-10-15 00:00:00.000000',NULL,'2026-10-15 00:00:00.000000',NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,NULL);
INSERT INTO "sources" VALUES(3,'harbour','https://harbour.example/news.xml','https://harbour.example/news.xml','sitemap',NULL,NULL,'2026-10-14 23:00:00.000000',NULL,NULL,'2026-10-15 00:00:00.000000',200,0,NULL,1,2,0,0,'https://harbour.example/sitemap.xml','2026-10-15 00:00:00.000000',NULL,'2026-10-15 00:00:00.000000',NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,NULL);
INSERT INTO "sources" VALUES(4,'harbour','https://harbour.example/old.rss','https://harbour.example/old.rss','feed',NULL,NULL,NULL,3600.0,'2026-10-15 01:00:00.000000',NULL,500,1,'http/500',0,0,0,0,NULL,'2026-10-15 00:00:00.000000',NULL,NULL,NULL,'2026-10-15 00:00:00.000000',NULL,NULL,0,NULL,NULL,NULL,0,NULL);
INSERT INTO "sources" VALUES(5,'valley','https://valley.example/feed','https://valley.example/feed','feed','"f1"',NULL,'2026-10-14 23:00:00.000000',3600.0,'2026-10-15 01:00:00.000000','2026-10-15 00:00:00.000000',200,0,NULL,1,7,7,0,NULL,'2026-10-15 00:00:00.000000','2026-10-15 00:00:00.000000','2026-10-15 00:00:00.000000',NULL,NULL,NULL,'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',0,NULL,NULL,NULL,0,NULL);
INSERT INTO "sources" VALUES(6,'valley','https://valley.example/sitemap.xml','https://valley.example/sitemap.xml','sitemap',NULL,NULL,NULL,3600.0,'2026-10-15 01:00:00.000000','2026-10-15 00:00:00.000000',200,0,NULL,1,0,0,0,NULL,'2026-10-15 00:00:00.000000',NULL,'2026-10-15 00:00:00.000000',NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,NULL);
INSERT INTO "sources" VALUES(7,'valley','https://valley.example/news.xml','https://valley.example/news.xml','sitemap',NULL,NULL,'2026-10-14 23:00:00.000000',NULL,NULL,'2026-10-15 00:00:00.000000',200,0,NULL,1,2,0,0,'https://valley.example/sitemap.xml','2026-10-15 00:00:00.000000',NULL,'2026-10-15 00:00:00.000000',NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,NULL);
INSERT INTO "sources" VALUES(8,'valley','https://valley.example/old.rss','https://valley.example/old.rss','feed',NULL,NULL,NULL,3600.0,'2026-10-15 01:00:00.000000',NULL,500,1,'http/500',0,0,0,0,NULL,'2026-10-15 00:00:00.000000',NULL,NULL,NULL,'2026-10-15 00:00:00.000000',NULL,NULL,0,NULL,NULL,NULL,0,NULL);
INSERT INTO "sources" VALUES(9,'ridge','https://ridge.example/feed','https://ridge.example/feed','feed','"f1"',NULL,'2026-10-14 23:00:00.000000',3600.0,'2026-10-15 01:00:00.000000','2026-10-15 00:00:00.000000',200,0,NULL,1,7,7,0,NULL,'2026-10-15 00:00:00.000000','2026-10-15 00:00:00.000000','2026-10-15 00:00:00.000000',NULL,NULL,NULL,'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',0,NULL,NULL,NULL,0,NULL);
INSERT INTO "sources" VALUES(10,'ridge','https://ridge.example/sitemap.xml','https://ridge.example/sitemap.xml','sitemap',NULL,NULL,NULL,3600.0,'2026-10-15 01:00:00.000000','2026-10-15 00:00:00.000000',200,0,NULL,1,0,0,0,NULL,'2026-10-15 00:00:00.000000',NULL,'2026-10-15 00:00:00.000000',NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,NULL);
INSERT INTO "sources" VALUES(11,'ridge','https://ridge.example/news.xml','https://ridge.example/news.xml','sitemap',NULL,NULL,'2026-10-14 23:00:00.000000',NULL,NULL,'2026-10-15 00:00:00.000000',200,0,NULL,1,2,0,0,'https://ridge.example/sitemap.xml','2026-10-15 00:00:00.000000',NULL,'2026-10-15 00:00:00.000000',NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,0,NULL);
INSERT INTO "sources" VALUES(12,'ridge','https://ridge.example/old.rss','https://ridge.example/old.rss','feed',NULL,NULL,NULL,3600.0,'2026-10-15 01:00:00.000000',NULL,500,1,'http/500',0,0,0,0,NULL,'2026-10-15 00:00:00.000000',NULL,NULL,NULL,'2026-10-15 00:00:00.000000',NULL,NULL,0,NULL,NULL,NULL,0,NULL);
CREATE TABLE urls (
	url_key VARCHAR(4096) NOT NULL, 
	url TEXT NOT NULL, 
	page_id INTEGER NOT NULL, 
	CONSTRAINT pk_urls PRIMARY KEY (url_key), 
	CONSTRAINT fk_urls_page_id FOREIGN KEY(page_id) REFERENCES pages (id)
);
INSERT INTO "urls" VALUES('https://harbour.example/2026/harbour-0','https://harbour.example/2026/harbour-0',1);
INSERT INTO "urls" VALUES('https://harbour.example/2026/harbour-1','https://harbour.example/2026/harbour-1',2);
INSERT INTO "urls" VALUES('https://harbour.example/2026/harbour-2','https://harbour.example/2026/harbour-2',3);
INSERT INTO "urls" VALUES('https://harbour.example/2026/harbour-3','https://harbour.example/2026/harbour-3',4);
INSERT INTO "urls" VALUES('https://harbour.example/2026/harbour-4','https://harbour.example/2026/harbour-4',5);
INSERT INTO "urls" VALUES('https://harbour.example/2026/harbour-5','https://harbour.example/2026/harbour-5',6);
INSERT INTO "urls" VALUES('https://harbour.example/2026/never-fetched','https://harbour.example/2026/never-fetched',7);
INSERT INTO "urls" VALUES('https://valley.example/2026/valley-0','https://valley.example/2026/valley-0',14);
INSERT INTO "urls" VALUES('https://valley.example/2026/valley-1','https://valley.example/2026/valley-1',15);
INSERT INTO "urls" VALUES('https://valley.example/2026/valley-2','https://valley.example/2026/valley-2',16);
INSERT INTO "urls" VALUES('https://valley.example/2026/valley-3','https://valley.example/2026/valley-3',17);
INSERT INTO "urls" VALUES('https://valley.example/2026/valley-4','https://valley.example/2026/valley-4',18);
INSERT INTO "urls" VALUES('https://valley.example/2026/valley-5','https://valley.example/2026/valley-5',19);
INSERT INTO "urls" VALUES('https://valley.example/2026/never-fetched','https://valley.example/2026/never-fetched',20);
INSERT INTO "urls" VALUES('https://ridge.example/2026/ridge-0','https://ridge.example/2026/ridge-0',27);
INSERT INTO "urls" VALUES('https://ridge.example/2026/ridge-1','https://ridge.example/2026/ridge-1',28);
INSERT INTO "urls" VALUES('https://ridge.example/2026/ridge-2','https://ridge.example/2026/ridge-2',29);
INSERT INTO "urls" VALUES('https://ridge.example/2026/ridge-3','https://ridge.example/2026/ridge-3',30);
INSERT INTO "urls" VALUES('https://ridge.example/2026/ridge-4','https://ridge.example/2026/ridge-4',31);
INSERT INTO "urls" VALUES('https://ridge.example/2026/ridge-5','https://ridge.example/2026/ridge-5',32);
INSERT INTO "urls" VALUES('https://ridge.example/2026/never-fetched','https://ridge.example/2026/never-fetched',33);
INSERT INTO "urls" VALUES('https://harbour.example/2026/corrected','https://harbour.example/2026/corrected',40);
INSERT INTO "urls" VALUES('https://harbour.example/2026/added','https://harbour.example/2026/added',42);
INSERT INTO "urls" VALUES('https://valley.example/2026/headline','https://valley.example/2026/headline',44);
INSERT INTO "urls" VALUES('https://valley.example/2026/live','https://valley.example/2026/live',46);
INSERT INTO "urls" VALUES('https://ridge.example/2026/gone','https://ridge.example/2026/gone',49);
INSERT INTO "urls" VALUES('https://ridge.example/2026/plain','https://ridge.example/2026/plain',51);
INSERT INTO "urls" VALUES('https://ridge.example/2026/failing','https://ridge.example/2026/failing',53);
INSERT INTO "urls" VALUES('https://harbour.example/2026/printed','https://harbour.example/2026/printed',54);
INSERT INTO "urls" VALUES('https://harbour.example/2026/printed?view=print','https://harbour.example/2026/printed?view=print',55);
INSERT INTO "urls" VALUES('https://valley.example/2026/tracked','https://valley.example/2026/tracked?utm_source=mail',56);
INSERT INTO "urls" VALUES('https://valley.example/2026/before','https://valley.example/2026/before',57);
INSERT INTO "urls" VALUES('https://valley.example/2026/moved','https://valley.example/2026/moved',57);
INSERT INTO "urls" VALUES('https://valley.example/2026/reserved','https://valley.example/2026/reserved',58);
INSERT INTO "urls" VALUES('https://ridge.example/2026/agency-copy','https://ridge.example/2026/agency-copy',59);
INSERT INTO "urls" VALUES('https://ridge.example/2026/light-edit','https://ridge.example/2026/light-edit',60);
INSERT INTO "urls" VALUES('https://ridge.example/2026/excerpt','https://ridge.example/2026/excerpt',61);
INSERT INTO "urls" VALUES('https://ridge.example/2026/round-up','https://ridge.example/2026/round-up',62);
INSERT INTO "urls" VALUES('https://ridge.example/2026/poison','https://ridge.example/2026/poison',63);
INSERT INTO "urls" VALUES('https://ridge.example/2026/doubted-0','https://ridge.example/2026/doubted-0',64);
INSERT INTO "urls" VALUES('https://ridge.example/2026/doubted-1','https://ridge.example/2026/doubted-1',65);
INSERT INTO "urls" VALUES('https://ridge.example/2026/doubted-2','https://ridge.example/2026/doubted-2',66);
INSERT INTO "urls" VALUES('https://valley.example/2026/ingested','https://valley.example/2026/ingested',70);
CREATE TABLE versions (
	id INTEGER NOT NULL, 
	page_id INTEGER NOT NULL, 
	article_id INTEGER NOT NULL, 
	seen_at DATETIME NOT NULL, 
	last_seen DATETIME NOT NULL, 
	change_class VARCHAR(16) NOT NULL, 
	verdict VARCHAR(16) NOT NULL, 
	title TEXT, 
	authors JSON, 
	published DATETIME, 
	published_source TEXT, 
	published_precision VARCHAR(16), 
	published_zone_stated BOOLEAN, 
	modified DATETIME, 
	modified_source TEXT, 
	modified_precision VARCHAR(16), 
	modified_zone_stated BOOLEAN, 
	language TEXT, 
	section TEXT, 
	tags JSON, 
	image TEXT, 
	canonical TEXT, 
	site_name TEXT, 
	description TEXT, 
	extractor TEXT NOT NULL, 
	fallback BOOLEAN DEFAULT 0 NOT NULL, 
	trace JSON, 
	problems JSON, 
	refused_dates JSON, 
	CONSTRAINT pk_versions PRIMARY KEY (id), 
	CONSTRAINT fk_versions_article_id FOREIGN KEY(article_id) REFERENCES articles (id), 
	CONSTRAINT fk_versions_page_id FOREIGN KEY(page_id) REFERENCES pages (id), 
	CONSTRAINT uq_versions_page_id_article_id UNIQUE (page_id, article_id)
);
INSERT INTO "versions" VALUES(1,1,1,'2026-10-15 00:09:00.000000','2026-10-15 00:09:00.000000','first','article','Harbour 0: news of the railway yard','["Ada Winter"]','2026-10-14 23:09:00.000000','json-ld:datePublished','second',1,NULL,NULL,NULL,NULL,'en',NULL,NULL,NULL,NULL,NULL,NULL,'boilerpipe-wide+group',0,'[{"extractor": "boilerpipe-wide+group", "words": 276, "characters": 1587, "accepted": true, "reason": "long enough"}]',NULL,NULL);
INSERT INTO "versions" VALUES(2,2,2,'2026-10-15 00:09:00.000000','2026-10-15 00:09:00.000000','first','article','Harbour 1: news of the upper bridge','["Edda Falk"]','2026-10-14 23:09:00.000000','json-ld:datePublished','second',1,NULL,NULL,NULL,NULL,'en',NULL,NULL,NULL,NULL,NULL,NULL,'boilerpipe-wide+group',0,'[{"extractor": "boilerpipe-wide+group", "words": 265, "characters": 1581, "accepted": true, "reason": "long enough"}]',NULL,NULL);
INSERT INTO "versions" VALUES(3,3,3,'2026-10-15 00:09:00.000000','2026-10-15 00:09:00.000000','first','article','Harbour 2: news of the market hall','["Ben Orlow"]','2026-10-14 23:09:00.000000','json-ld:datePublished','second',1,NULL,NULL,NULL,NULL,'en',NULL,NULL,NULL,NULL,NULL,NULL,'boilerpipe-wide+group',0,'[{"extractor": "boilerpipe-wide+group", "words": 267, "characters": 1578, "accepted": true, "reason": "long enough"}]',NULL,NULL);
INSERT INTO "versions" VALUES(4,4,4,'2026-10-15 00:09:00.000000','2026-10-15 00:09:00.000000','first','article','Harbour 3: news of the old mill','["Cleo Marsh"]','2026-10-14 23:09:00.000000','json-ld:datePublished','second',1,NULL,NULL,NULL,NULL,'en',NULL,NULL,NULL,NULL,NULL,NULL,'boilerpipe-wide+group',0,'[{"extractor": "boilerpipe-wide+group", "words": 272, "characters": 1599, "accepted": true, "reason": "long enough"}]',NULL,NULL);
INSERT INTO "versions" VALUES(5,5,5,'2026-10-15 00:09:00.000000','2026-10-15 00:09:00.000000','first','article','Harbour 4: news of the market hall','["Ben Orlow"]','2026-10-14 23:09:00.000000','json-ld:datePublished','second',1,NULL,NULL,NULL,NULL,'en',NULL,NULL,NULL,NULL,NULL,NULL,'boilerpipe-wide+group',0,'[{"extractor": "boilerpipe-wide+group", "words": 270, "characters": 1590, "accepted": true, "reason": "long enough"}]',NULL,NULL);
INSERT INTO "versions" VALUES(6,6,6,'2026-10-15 00:09:00.000000','2026-10-15 00:09:00.000000','first','article','Harbour 5: news of the old mill','["Cleo Marsh"]','2026-10-14 23:09:00.000000','json-ld:datePublished','second',1,NULL,NULL,NULL,NULL,'en',NULL,NULL,NULL,NULL,NULL,NULL,'boilerpipe-wide+group',0,'[{"extractor": "boilerpipe-wide+group", "words": 275, "characters": 1629, "accepted": true, "reason": "long enough"}]',NULL,NULL);
INSERT INTO "versions" VALUES(7,14,7,'2026-10-15 00:08:00.000000','2026-10-15 00:08:00.000000','first','article','Valley 0: news of the library','["Ada Winter"]','2026-10-14 23:08:00.000000','json-ld:datePublished','second',1,NULL,NULL,NULL,NULL,'en',NULL,NULL,NULL,NULL,NULL,NULL,'boilerpipe-wide+group',0,'[{"extractor": "boilerpipe-wide+group", "words": 263, "characters": 1559, "accepted": true, "reason": "long enough"}]',NULL,NULL);
INSERT INTO "versions" VALUES(8,15,8,'2026-10-15 00:08:00.000000','2026-10-15 00:08:00.000000','first','article','Valley 1: news of the railway yard','["Cleo Marsh"]','2026-10-14 23:08:00.000000','json-ld:datePublished','second',1,NULL,NULL,NULL,NULL,'en',NULL,NULL,NULL,NULL,NULL,NULL,'boilerpipe-wide+group',0,'[{"extractor": "boilerpipe-wide+group", "words": 269, "characters": 1591, "accepted": true, "reason": "long enough"}]',NULL,NULL);
INSERT INTO "versions" VALUES(9,16,9,'2026-10-15 00:08:00.000000','2026-10-15 00:08:00.000000','first','article','Valley 2: news of the library','["Ben Orlow"]','2026-10-14 23:08:00.000000','json-ld:datePublished','second',1,NULL,NULL,NULL,NULL,'en',NULL,NULL,NULL,NULL,NULL,NULL,'boilerpipe-wide+group',0,'[{"extractor": "boilerpipe-wide+group", "words": 267, "characters": 1590, "accepted": true, "reason": "long enough"}]',NULL,NULL);
INSERT INTO "versions" VALUES(10,17,10,'2026-10-15 00:08:00.000000','2026-10-15 00:08:00.000000','first','article','Valley 3: news of the library','["Ada Winter"]','2026-10-14 23:08:00.000000','json-ld:datePublished','second',1,NULL,NULL,NULL,NULL,'en',NULL,NULL,NULL,NULL,NULL,NULL,'boilerpipe-wide+group',0,'[{"extractor": "boilerpipe-wide+group", "words": 271, "characters": 1583, "accepted": true, "reason": "long enough"}]',NULL,NULL);
INSERT INTO "versions" VALUES(11,18,11,'2026-10-15 00:08:00.000000','2026-10-15 00:08:00.000000','first','article','Valley 4: news of the library','["Cleo Marsh"]','2026-10-14 23:08:00.000000','json-ld:datePublished','second',1,NULL,NULL,NULL,NULL,'en',NULL,NULL,NULL,NULL,NULL,NULL,'boilerpipe-wide+group',0,'[{"extractor": "boilerpipe-wide+group", "words": 258, "characters": 1551, "accepted": true, "reason": "long enough"}]',NULL,NULL);
INSERT INTO "versions" VALUES(12,19,12,'2026-10-15 00:08:00.000000','2026-10-15 00:08:00.000000','first','article','Valley 5: news of the library','["Edda Falk"]','2026-10-14 23:08:00.000000','json-ld:datePublished','second',1,NULL,NULL,NULL,NULL,'en',NULL,NULL,NULL,NULL,NULL,NULL,'boilerpipe-wide+group',0,'[{"extractor": "boilerpipe-wide+group", "words": 273, "characters": 1578, "accepted": true, "reason": "long enough"}]',NULL,NULL);
INSERT INTO "versions" VALUES(13,27,13,'2026-10-15 00:07:00.000000','2026-10-15 00:07:00.000000','first','article','Ridge 0: news of the north road','["Edda Falk"]','2026-10-14 23:07:00.000000','json-ld:datePublished','second',1,NULL,NULL,NULL,NULL,'en',NULL,NULL,NULL,NULL,NULL,NULL,'boilerpipe-wide+group',0,'[{"extractor": "boilerpipe-wide+group", "words": 261, "characters": 1539, "accepted": true, "reason": "long enough"}]',NULL,NULL);
INSERT INTO "versions" VALUES(14,28,14,'2026-10-15 00:07:00.000000','2026-10-15 00:07:00.000000','first','article','Ridge 1: news of the library','["Cleo Marsh"]','2026-10-14 23:07:00.000000','json-ld:datePublished','second',1,NULL,NULL,NULL,NULL,'en',NULL,NULL,NULL,NULL,NULL,NULL,'boilerpipe-wide+group',0,'[{"extractor": "boilerpipe-wide+group", "words": 277, "characters": 1609, "accepted": true, "reason": "long enough"}]',NULL,NULL);
INSERT INTO "versions" VALUES(15,29,15,'2026-10-15 00:07:00.000000','2026-10-15 00:07:00.000000','first','article','Ridge 2: news of the railway yard','["Ben Orlow"]','2026-10-14 23:07:00.000000','json-ld:datePublished','second',1,NULL,NULL,NULL,NULL,'en',NULL,NULL,NULL,NULL,NULL,NULL,'boilerpipe-wide+group',0,'[{"extractor": "boilerpipe-wide+group", "words": 263, "characters": 1536, "accepted": true, "reason": "long enough"}]',NULL,NULL);
INSERT INTO "versions" VALUES(16,30,16,'2026-10-15 00:07:00.000000','2026-10-15 00:07:00.000000','first','article','Ridge 3: news of the railway yard','["Cleo Marsh"]','2026-10-14 23:07:00.000000','json-ld:datePublished','second',1,NULL,NULL,NULL,NULL,'en',NULL,NULL,NULL,NULL,NULL,NULL,'boilerpipe-wide+group',0,'[{"extractor": "boilerpipe-wide+group", "words": 280, "characters": 1626, "accepted": true, "reason": "long enough"}]',NULL,NULL);
INSERT INTO "versions" VALUES(17,31,17,'2026-10-15 00:07:00.000000','2026-10-15 00:07:00.000000','first','article','Ridge 4: news of the library','["Ben Orlow"]','2026-10-14 23:07:00.000000','json-ld:datePublished','second',1,NULL,NULL,NULL,NULL,'en',NULL,NULL,NULL,NULL,NULL,NULL,'boilerpipe-wide+group',0,'[{"extractor": "boilerpipe-wide+group", "words": 272, "characters": 1566, "accepted": true, "reason": "long enough"}]',NULL,NULL);
INSERT INTO "versions" VALUES(18,32,18,'2026-10-15 00:07:00.000000','2026-10-15 00:07:00.000000','first','article','Ridge 5: news of the pier','["Edda Falk"]','2026-10-14 23:07:00.000000','json-ld:datePublished','second',1,NULL,NULL,NULL,NULL,'en',NULL,NULL,NULL,NULL,NULL,NULL,'boilerpipe-wide+group',0,'[{"extractor": "boilerpipe-wide+group", "words": 272, "characters": 1580, "accepted": true, "reason": "long enough"}]',NULL,NULL);
INSERT INTO "versions" VALUES(19,40,19,'2026-10-15 03:00:00.000000','2026-10-15 03:00:00.000000','first','article','Corrected: news of the old mill','["Ben Orlow"]','2026-10-15 02:00:00.000000','json-ld:datePublished','second',1,NULL,NULL,NULL,NULL,'en',NULL,NULL,NULL,NULL,NULL,NULL,'boilerpipe-wide+group',0,'[{"extractor": "boilerpipe-wide+group", "words": 275, "characters": 1589, "accepted": true, "reason": "long enough"}]',NULL,NULL);
INSERT INTO "versions" VALUES(20,40,20,'2026-10-16 00:00:00.000000','2026-10-16 00:00:00.000000','correction','article','Corrected: news of the old mill','["Ben Orlow"]','2026-10-15 23:00:00.000000','json-ld:datePublished','second',1,NULL,NULL,NULL,NULL,'en',NULL,NULL,NULL,NULL,NULL,NULL,'boilerpipe-wide+group',0,'[{"extractor": "boilerpipe-wide+group", "words": 275, "characters": 1589, "accepted": true, "reason": "long enough"}]',NULL,NULL);
INSERT INTO "versions" VALUES(21,42,21,'2026-10-15 03:00:00.000000','2026-10-15 03:00:00.000000','first','article','Added: news of the pier','["Edda Falk"]','2026-10-15 02:00:00.000000','json-ld:datePublished','second',1,NULL,NULL,NULL,NULL,'en',NULL,NULL,NULL,NULL,NULL,NULL,'boilerpipe-wide+group',0,'[{"extractor": "boilerpipe-wide+group", "words": 226, "characters": 1310, "accepted": true, "reason": "long enough"}]',NULL,NULL);
INSERT INTO "versions" VALUES(22,42,22,'2026-10-16 00:00:00.000000','2026-10-16 00:00:00.000000','addition','article','Added: news of the pier','["Edda Falk"]','2026-10-15 23:00:00.000000','json-ld:datePublished','second',1,NULL,NULL,NULL,NULL,'en',NULL,NULL,NULL,NULL,NULL,NULL,'boilerpipe-wide+group',0,'[{"extractor": "boilerpipe-wide+group", "words": 328, "characters": 1897, "accepted": true, "reason": "long enough"}]',NULL,NULL);
INSERT INTO "versions" VALUES(23,44,23,'2026-10-15 03:00:00.000000','2026-10-16 00:00:00.000000','first','article','Mill sold: the stranger speaks','["Ada Winter"]','2026-10-15 23:00:00.000000','json-ld:datePublished','second',1,NULL,NULL,NULL,NULL,'en',NULL,NULL,NULL,NULL,NULL,NULL,'boilerpipe-wide+group',0,'[{"extractor": "boilerpipe-wide+group", "words": 263, "characters": 1552, "accepted": true, "reason": "long enough"}]',NULL,NULL);
INSERT INTO "versions" VALUES(24,46,24,'2026-10-15 03:00:00.000000','2026-10-15 03:00:00.000000','first','article','Live: the storm at the tidal gate','["Ben Orlow"]','2026-10-15 02:00:00.000000','json-ld:datePublished','second',1,NULL,NULL,NULL,NULL,'en',NULL,NULL,NULL,NULL,NULL,NULL,'boilerpipe-wide+group',0,'[{"extractor": "boilerpipe-wide+group", "words": 169, "characters": 962, "accepted": true, "reason": "long enough"}]',NULL,NULL);
INSERT INTO "versions" VALUES(25,46,25,'2026-10-15 04:00:00.000000','2026-10-15 04:00:00.000000','addition','article','Live: the storm at the tidal gate','["Ben Orlow"]','2026-10-15 03:00:00.000000','json-ld:datePublished','second',1,NULL,NULL,NULL,NULL,'en',NULL,NULL,NULL,NULL,NULL,NULL,'boilerpipe-wide+group',0,'[{"extractor": "boilerpipe-wide+group", "words": 241, "characters": 1381, "accepted": true, "reason": "long enough"}]',NULL,NULL);
INSERT INTO "versions" VALUES(26,46,26,'2026-10-15 05:00:00.000000','2026-10-15 05:00:00.000000','correction','article','Live: the storm at the tidal gate','["Ben Orlow"]','2026-10-15 04:00:00.000000','json-ld:datePublished','second',1,NULL,NULL,NULL,NULL,'en',NULL,NULL,NULL,NULL,NULL,NULL,'boilerpipe-wide+group',0,'[{"extractor": "boilerpipe-wide+group", "words": 313, "characters": 1803, "accepted": true, "reason": "long enough"}]',NULL,NULL);
INSERT INTO "versions" VALUES(27,49,27,'2026-10-15 03:00:00.000000','2026-10-15 03:00:00.000000','first','article','Gone: news of the railway yard','["Edda Falk"]','2026-10-15 02:00:00.000000','json-ld:datePublished','second',1,NULL,NULL,NULL,NULL,'en',NULL,NULL,NULL,NULL,NULL,NULL,'boilerpipe-wide+group',0,'[{"extractor": "boilerpipe-wide+group", "words": 276, "characters": 1550, "accepted": true, "reason": "long enough"}]',NULL,NULL);
INSERT INTO "versions" VALUES(28,51,28,'2026-10-15 03:00:00.000000','2026-10-15 03:00:00.000000','first','article','Plain: news of the tidal gate','["Dan Pike"]','2026-10-15 02:00:00.000000','json-ld:datePublished','second',1,NULL,NULL,NULL,NULL,'en',NULL,NULL,NULL,NULL,NULL,NULL,'boilerpipe-wide+group',0,'[{"extractor": "boilerpipe-wide+group", "words": 265, "characters": 1522, "accepted": true, "reason": "long enough"}]',NULL,NULL);
INSERT INTO "versions" VALUES(29,54,29,'2026-10-15 03:00:00.000000','2026-10-15 03:00:00.000000','first','article','Printed: news of the railway yard','["Dan Pike"]','2026-10-15 02:00:00.000000','json-ld:datePublished','second',1,NULL,NULL,NULL,NULL,'en',NULL,NULL,NULL,NULL,NULL,NULL,'boilerpipe-wide+group',0,'[{"extractor": "boilerpipe-wide+group", "words": 268, "characters": 1554, "accepted": true, "reason": "long enough"}]',NULL,NULL);
INSERT INTO "versions" VALUES(30,55,29,'2026-10-15 04:00:00.000000','2026-10-15 04:00:00.000000','first','article','Printed: news of the railway yard',NULL,'2026-10-15 03:00:00.000000','json-ld:datePublished','second',1,NULL,NULL,NULL,NULL,'en',NULL,NULL,NULL,NULL,NULL,NULL,'boilerpipe-wide+group',0,'[{"extractor": "boilerpipe-wide+group", "words": 268, "characters": 1554, "accepted": true, "reason": "long enough"}]',NULL,NULL);
INSERT INTO "versions" VALUES(31,56,30,'2026-10-15 03:00:00.000000','2026-10-15 03:00:00.000000','first','article','Tracked: news of the market hall','["Cleo Marsh"]','2026-10-15 02:00:00.000000','json-ld:datePublished','second',1,NULL,NULL,NULL,NULL,'en',NULL,NULL,NULL,NULL,NULL,NULL,'boilerpipe-wide+group',0,'[{"extractor": "boilerpipe-wide+group", "words": 267, "characters": 1552, "accepted": true, "reason": "long enough"}]',NULL,NULL);
INSERT INTO "versions" VALUES(32,57,31,'2026-10-16 00:00:00.000000','2026-10-16 00:00:00.000000','first','article','Moved: news of the pier','["Cleo Marsh"]','2026-10-15 23:00:00.000000','json-ld:datePublished','second',1,NULL,NULL,NULL,NULL,'en',NULL,NULL,NULL,NULL,NULL,NULL,'boilerpipe-wide+group',0,'[{"extractor": "boilerpipe-wide+group", "words": 272, "characters": 1554, "accepted": true, "reason": "long enough"}]',NULL,NULL);
INSERT INTO "versions" VALUES(33,58,32,'2026-10-15 03:00:00.000000','2026-10-15 03:00:00.000000','first','article','Reserved: news of the market hall','["Dan Pike"]','2026-10-15 02:00:00.000000','json-ld:datePublished','second',1,NULL,NULL,NULL,NULL,'en',NULL,NULL,NULL,NULL,NULL,NULL,'boilerpipe-wide+group',0,'[{"extractor": "boilerpipe-wide+group", "words": 274, "characters": 1580, "accepted": true, "reason": "long enough"}]',NULL,NULL);
INSERT INTO "versions" VALUES(34,59,2,'2026-10-16 01:00:00.000000','2026-10-16 01:00:00.000000','first','article','Agency Copy: news of the pier',NULL,'2026-10-16 00:00:00.000000','json-ld:datePublished','second',1,NULL,NULL,NULL,NULL,'en',NULL,NULL,NULL,NULL,NULL,NULL,'boilerpipe-wide+group',0,'[{"extractor": "boilerpipe-wide+group", "words": 265, "characters": 1581, "accepted": true, "reason": "long enough"}]',NULL,NULL);
INSERT INTO "versions" VALUES(35,60,3,'2026-10-16 01:00:00.000000','2026-10-16 01:00:00.000000','first','article','Light Edit: news of the tidal gate','["Edda Falk"]','2026-10-16 00:00:00.000000','json-ld:datePublished','second',1,NULL,NULL,NULL,NULL,'en',NULL,NULL,NULL,NULL,NULL,NULL,'boilerpipe-wide+group',0,'[{"extractor": "boilerpipe-wide+group", "words": 267, "characters": 1578, "accepted": true, "reason": "off topic: 0% of the headline''s words, but none is better"}, {"extractor": "justext", "words": 267, "characters": 1578, "accepted": false, "reason": "off topic: 0% of the headline''s words"}]',NULL,NULL);
INSERT INTO "versions" VALUES(36,61,33,'2026-10-16 01:00:00.000000','2026-10-16 01:00:00.000000','first','article','Excerpt: news of the market hall','["Ada Winter"]','2026-10-16 00:00:00.000000','json-ld:datePublished','second',1,NULL,NULL,NULL,NULL,'en',NULL,NULL,NULL,NULL,NULL,NULL,'boilerpipe-wide+group',0,'[{"extractor": "boilerpipe-wide+group", "words": 176, "characters": 1011, "accepted": true, "reason": "long enough"}]',NULL,NULL);
INSERT INTO "versions" VALUES(37,62,34,'2026-10-16 02:00:00.000000','2026-10-16 02:00:00.000000','first','article','Round-up of the week','["Ada Winter"]','2026-10-16 01:00:00.000000','json-ld:datePublished','second',1,NULL,NULL,NULL,NULL,'en',NULL,NULL,NULL,NULL,NULL,NULL,'boilerpipe-wide+group',0,'[{"extractor": "boilerpipe-wide+group", "words": 528, "characters": 3141, "accepted": true, "reason": "long enough"}]',NULL,NULL);
INSERT INTO "versions" VALUES(38,70,38,'2026-10-05 01:00:00.000000','2026-10-05 01:00:00.000000','first','article','From an archive','["Ben Orlow"]','2026-10-05 00:00:00.000000','json-ld:datePublished','second',1,NULL,NULL,NULL,NULL,'en',NULL,NULL,NULL,NULL,NULL,NULL,'boilerpipe-wide+group',0,'[{"extractor": "boilerpipe-wide+group", "words": 269, "characters": 1548, "accepted": true, "reason": "long enough"}]',NULL,NULL);
CREATE INDEX ix_articles_content_hash ON articles (content_hash);
CREATE INDEX ix_events_url_key_id ON events (url_key, id);
CREATE INDEX ix_quarantine_site ON quarantine (site);
CREATE INDEX ix_runs_site_started ON runs (site, started);
CREATE INDEX ix_pages_article_id ON pages (article_id);
CREATE INDEX ix_pages_site_state_next_due ON pages (site, state, next_due);
CREATE INDEX ix_urls_page_id ON urls (page_id);
CREATE INDEX ix_versions_article_id ON versions (article_id);
CREATE INDEX ix_pages_due ON pages (next_due, state, site) WHERE next_due IS NOT NULL;
CREATE INDEX ix_pages_found ON pages (site) WHERE state = 'found';
CREATE INDEX ix_sources_next_due ON sources (next_due);
CREATE INDEX ix_sightings_source_id ON sightings (source_id);
CREATE INDEX ix_baselines_next_check ON baselines (next_check);
CREATE UNIQUE INDEX uq_alarms_open ON alarms (site, kind) WHERE closed_at IS NULL;
CREATE INDEX ix_alarms_tell_at ON alarms (tell_at) WHERE tell_at IS NOT NULL;
CREATE INDEX ix_cluster_members_cluster_id ON cluster_members (cluster_id);
CREATE INDEX ix_headlines_article_id ON headlines (article_id);
CREATE INDEX ix_headlines_page_id_seen_at ON headlines (page_id, seen_at);
CREATE INDEX ix_captures_url_key ON captures (url_key);
CREATE INDEX ix_captures_digest ON captures (digest);
CREATE INDEX ix_captures_body_file_id_body_offset ON captures (body_file_id, body_offset);
CREATE INDEX ix_captures_site_fetched_at ON captures (site, fetched_at);
CREATE INDEX ix_held_site_at ON held (site, at);
CREATE INDEX ix_held_final_key ON held (final_key);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('changes',51);
INSERT INTO "sqlite_sequence" VALUES('alarms',1);
INSERT INTO "sqlite_sequence" VALUES('pages',70);
INSERT INTO "sqlite_sequence" VALUES('events',74);
INSERT INTO "sqlite_sequence" VALUES('mentions',3);
INSERT INTO "sqlite_sequence" VALUES('archive_files',2);
INSERT INTO "sqlite_sequence" VALUES('articles',38);
INSERT INTO "sqlite_sequence" VALUES('held',3);
COMMIT;
