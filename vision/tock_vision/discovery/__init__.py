"""Making a board file from photographs of an unmeasured board."""
