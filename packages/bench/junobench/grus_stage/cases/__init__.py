"""What single cases need beyond the record: a file per case, named as the case is."""
