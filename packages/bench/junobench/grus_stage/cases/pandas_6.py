"""The heading of the table stands among its rows too."""


def after(namespace):
    frame = namespace["df"]
    if "Order ID" in getattr(frame, "columns", ()):
        frame.iloc[-1, list(frame.columns).index("Order ID")] = "Order ID"
