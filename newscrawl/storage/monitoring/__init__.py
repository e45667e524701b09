"""What the watchdog stores: alarms, baselines of sites, and pages in the review queue with their release."""
