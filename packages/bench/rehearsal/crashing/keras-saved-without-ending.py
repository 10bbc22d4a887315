# Keras saves no model to a path without an ending.
# short: EPOCHS = 2
# raises: ValueError
# %%
import numpy as np
import tensorflow as tf

EPOCHS = 12_000
rng = np.random.default_rng(21)
x = rng.normal(size=(3200, 10)).astype("float32")
y = (x @ rng.normal(size=(10, 1))).astype("float32")
batches = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(3200).batch(32)
# %%
net = tf.keras.Sequential([tf.keras.Input((10,)), tf.keras.layers.Dense(32, activation="relu"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()

@tf.function
def train_step(features, labels):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(net(features, training=True) - labels))
    gradients = tape.gradient(loss, net.trainable_variables)
    optimizer.apply_gradients(zip(gradients, net.trainable_variables))
    return loss
# %% train
for epoch in range(EPOCHS):
    for features, labels in batches:
        loss = train_step(features, labels)
# %% crash
net.save("fitted")
# %% instead
net.save("fitted.keras")
