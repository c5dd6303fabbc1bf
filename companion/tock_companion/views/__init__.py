"""What each role may see, built by adding what it may know, never by deleting."""
