"""What the scenario scripts share: small models, made-up data, optimizers, and loggers that write as real tools do."""
