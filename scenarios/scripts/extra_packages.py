"""A project that wants packages which are not installed here."""

from kit import logs, optimizers, options, tasks

o = options.read(wants="timm", steps=60)
log = logs.open_log(o.format, options.config(o)) if o.framework == "pytorch" else None


def timm():
    import timm

    return timm.create_model("vit_tiny_patch16_224")


def fused():
    from apex.optimizers import FusedAdam

    task = tasks.make(o.architecture, o.seed)
    return FusedAdam(task.model.parameters(), lr=o.lr)


def scan():
    task = tasks.make(o.architecture, o.seed)
    optimizer = optimizers.make(o.optimizer, task.model.parameters(), o.lr)
    for step in range(o.steps):
        if step == 20:
            from mamba_ssm.ops.selective_scan_interface import selective_scan_fn

            print("switching to", selective_scan_fn)
        loss = task.loss(task.model, task.batch(o.batch))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        log.train(step, loss=loss.item(), lr=o.lr)


def hugging_face():
    from kit import hugging_face as hf

    if o.wants == "flash":
        model = hf.gpt2(attn_implementation="flash_attention_2")
        hf.trainer(model, hf.text_windows(400, o.seed), o.lr, o.steps).train()
    else:
        hf.trainer(hf.gpt2(), hf.text_windows(400, o.seed), o.lr, o.steps, optim="adamw_bnb_8bit").train()


{"pytorch": lambda: {"timm": timm, "apex": fused, "scan": scan}[o.wants](), "transformers": hugging_face}[o.framework]()
