"""Training and measuring of the networks, run from the checkout: `python -m vision.training.PACKAGE.NAME`.

`pictures` makes invented boards; `reader`, `discovery` and `cards` train and measure. What all trainings share
lies beside them: trainer, learning rate, workers, layers, ONNX files. docs/training.md says how to train.
"""
