"""What `record.py` is made of: starting a run under its limits, and taking the recording machine out of what it wrote."""
