// Single lines of an error, as people paste them, each beside a healthy twin that resembles it.
import { describe, expect, it } from 'vitest';
import { diagnoseRecord } from '../../src/diagnose/diagnose.js';
import { logOf } from '../readers/run-of.js';

const judge = async (lines: readonly string[]) => diagnoseRecord(await logOf(`${lines.join('\n')}\n`));

describe('an error', () => {
  it.each<[string, string]>([
    ["Exception during training: cannot identify image file 'photos/thumbs.db'", 'data_pipeline'],
    [
      'THCudaCheck FAIL file=generic/THCStorage.cu line=58 error=59 : device-side assert triggered',
      'data_pipeline',
    ],
    ['ValueError: malformed node or string on line 1: <ast.Name object at 0x7f0e>', 'model_software'],
    [
      'Exception: Error when checking target: expected dense_3 to have shape (None, 7) but got array with shape (16, 1)',
      'model_software',
    ],
    [
      "KeyError: 'annotation has category_id=9, which does not exist in the list of classes'",
      'data_pipeline',
    ],
    [
      "MisconfigurationException: ModelCheckpoint(monitor='val_f1') not found in the returned metrics: ['train_loss']",
      'model_software',
    ],
    [
      "FileNotFoundError: [Errno 2] No such file or directory: '/scratch/ana/corpus/val_tokens.pt'",
      'data_pipeline',
    ],
    // Other languages announce their errors in their own way.
    [
      'libc++abi: terminating due to uncaught exception of type std::runtime_error: [METAL] Command buffer failed: Insufficient Memory (00000008:kIOGPUCommandBuffer)',
      'memory_hardware',
    ],
    [
      '/opt/torch/bin/luajit: $ Torch: not enough memory: you tried to allocate 9GB at Storage.c:88',
      'memory_hardware',
    ],
    ["KeyError: 'TinyFoldDataset is not in the dataset registry'", 'model_software'],
    ['ERROR:neuronxcc.driver: An Internal Compiler Error has occurred', 'model_software'],
    ['Program received signal SIGSEGV, Segmentation fault.', 'model_software'],
    // Whoever made the values that are no numbers is not named.
    ['ValueError: The parameter scale has invalid values', 'unknown'],
    [
      'ValueError: Expected parameter loc (Tensor of shape (8, 2)) of distribution Normal(loc: torch.Size([8, 2])) to satisfy the constraint Real(), but found invalid values:',
      'unknown',
    ],
  ])('in one line: %s', async (line, category) => {
    expect((await judge([line])).category).toBe(category);
  });

  it('is read behind frames whose head was cut off', async () => {
    const diagnosis = await judge([
      '  File "/home/me/train.py", line 61, in step',
      "    boxes = batch['boxes'].cpu()",
      "KeyError: 'boxes'",
    ]);
    expect(diagnosis).toMatchObject({ category: 'data_pipeline', subcause: 'missing_data' });
  });

  it('is read out of the middle of another program’s line', async () => {
    const line =
      'ERROR Lost task 0.0 in stage 6.0: ml.Booster: BoosterError: label must be in [0, num_class) for this objective';
    expect(await judge([line])).toMatchObject({ category: 'data_pipeline' });
  });

  it('that found NaN in its hands does not tell where it came from', async () => {
    const line =
      'ValueError: Expected parameter loc (Tensor of shape (2, 2)) of distribution Normal(loc: torch.Size([2, 2])) to satisfy the constraint Real(), but found invalid values: tensor([[nan, nan]])';
    expect((await judge([line])).category).toBe('unknown');
  });

  it('of ranks that wait for different things is the code’s', async () => {
    const waiting = (rank: number, elements: number) =>
      `[rank${rank}]:[E ProcessGroupNCCL.cpp:563] [Rank ${rank}] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=7, OpType=ALLREDUCE, NumelIn=${elements}, NumelOut=${elements}, Timeout(ms)=600000) ran for 600061 milliseconds before timing out.`;
    expect((await judge([waiting(0, 4096), waiting(1, 1)])).category).toBe('model_software');
    expect((await judge([waiting(0, 4096), waiting(1, 4096)])).category).toBe('memory_hardware');
  });
});

describe('a line without a class', () => {
  const log = (level: string) => `2026-01-05 10:02:11.480: ${level} runtime/buffers.cc:88]`;
  it.each<[says: string, category: string, subcause: string, lines: string[], twin: string[]]>([
    [
      'that calls itself an error',
      'memory_hardware',
      'gpu_capacity',
      [`${log('E')} RESOURCE_EXHAUSTED: Error allocating device buffer: Attempting to allocate 3.2G`],
      [`${log('W')} Allocation of 3.2G exceeds 10% of free system memory.`],
    ],
    [
      'of a C++ library',
      'data_pipeline',
      'label_out_of_range',
      ['[Booster] [Fatal] Label 40 is not less than the number of label mappings (12)'],
      ['[Booster] [Warning] Label 40 is not less than the number of label mappings (12)'],
    ],
    [
      'in words of Python',
      'model_software',
      'code_error',
      ["name 'criterion' is not defined"],
      ['name of the run is not defined, using the default'],
    ],
    [
      'that refuses sizes',
      'model_software',
      'shape_mismatch',
      ['logits and labels must have the same first dimension, got logits shape [8,3] and labels shape [24]'],
      ['--img-size 641 must be multiple of max stride 32, resizing to 672'],
    ],
    [
      'that refuses weights',
      'model_software',
      'checkpoint_mismatch',
      [
        'size mismatch for head.weight: copying a param with shape torch.Size([9, 64]) from checkpoint, the shape in current model is torch.Size([4, 64]).',
      ],
      ['size mismatch for head.weight: the head is trained from scratch'],
    ],
    [
      'that names a build',
      'model_software',
      'version_mismatch',
      ['Error no kernel image is available for execution on the device at line 41 in file csrc/adam.cu'],
      ['no kernel image for sm_90 in the cache, building it'],
    ],
    [
      'with the status of Windows',
      'model_software',
      'native_crash',
      ["subprocess.CalledProcessError: Command '['python.exe']' returned non-zero exit status 3221225477."],
      ["Command '['python.exe']' returned exit status 0."],
    ],
    [
      'of a cluster that kills for memory',
      'memory_hardware',
      'host_memory',
      ['(raylet) 2 Workers (tasks / actors) killed due to memory pressure (OOM) at node n4'],
      [
        'The worker has died. There are some potential root causes. (1) It is killed by SIGKILL by OOM killer. (2) ray stop is called.',
      ],
    ],
    [
      'of an adapter',
      'memory_hardware',
      'network_link',
      ['n3:77:81 [0] NCCL WARN NET/IB : Got completion from peer 10.0.0.9<4711> with error 12, opcode 0'],
      ['n3:77:81 [0] misc/ibvwrap.cc:63 NCCL WARN Failed to open libibverbs.so[.1]'],
    ],
    [
      'that found nothing to learn from',
      'data_pipeline',
      'empty_data',
      ['prepare images.', '0 train images with repeating.'],
      ['prepare images.', '140 train images with repeating.'],
    ],
    [
      'that refuses a type of numbers',
      'model_software',
      'dtype_mismatch',
      [
        "Cannot convert a tensor to float64 dtype as the framework doesn't support float64. Please use float32 instead.",
      ],
      ['num_workers must be <= 4. Reducing num_workers to 4 for dataset of size 4.'],
    ],
    [
      'of a service that does not answer',
      'memory_hardware',
      'network',
      ['tracker: ERROR Run initialization has timed out after 90.0 sec.'],
      ["Couldn't connect to the hub. Will try to load from local cache."],
    ],
    [
      'that has room for a remark behind its class',
      'model_software',
      'shape_mismatch',
      ['InvalidArgumentError (see above for traceback): Incompatible shapes: [4,3] vs. [4,2]'],
      ['UnknownError (see above for traceback): cuDNN failed to initialize'],
    ],
  ])('%s', async (_says, category, subcause, lines, twin) => {
    expect(await judge(lines)).toMatchObject({ category, subcause, abstained: false });
    expect((await judge(twin)).category).toBe('unknown');
  });

  it('ends nothing where something was measured after it', async () => {
    const line = 'Error no kernel image is available for execution on the device';
    expect((await judge([line, 'epoch 1 loss 2.1', 'epoch 2 loss 1.7'])).outcome).toBe('unknown');
  });
});

describe('an ordinary error', () => {
  it.each<[about: string, category: string, subcause: string, lines: string[]]>([
    [
      'after samples that were all refused',
      'data_pipeline',
      'empty_data',
      [
        'train: /data/1.jpg: ignoring corrupt image/label: negative values',
        'ValueError: not enough values to unpack (expected 3, got 0)',
      ],
    ],
    [
      'with nothing refused before it',
      'model_software',
      'code_error',
      ['ValueError: not enough values to unpack (expected 3, got 0)'],
    ],
    [
      'about NaN that the data holds',
      'data_pipeline',
      'nan_in_data',
      ['BoosterError: src/target.cpp:39: NaN values are not supported for target'],
    ],
    [
      'about a key that samples lack',
      'data_pipeline',
      'missing_data',
      ["ValueError: didn't find ['mask.png'] in ['__key__', 'image.jpg']"],
    ],
    [
      'about weights that are not where they are looked for',
      'model_software',
      'invalid_configuration',
      ["FileNotFoundError: [Errno 2] No such file or directory: '../models/run_3/best_model.pth'"],
    ],
    [
      'about a part that a checkpoint lacks',
      'model_software',
      'code_error',
      ['FileNotFoundError: File not found: model/checkpoint_3/.zarray'],
    ],
    [
      'of what reads files',
      'data_pipeline',
      'decode_error',
      [
        '  File "/env/site-packages/numpy/lib/npyio.py", line 438, in load',
        '    raise ValueError("Object arrays are left out")',
        'ValueError: Object arrays are left out',
      ],
    ],
    [
      'that is told in a sentence',
      'model_software',
      'shape_mismatch',
      [
        'RuntimeError occurred during training: expected input[4, 60, 200] to have 64 channels, but got 60 channels instead',
      ],
    ],
    [
      'behind frames that lost their indentation',
      'model_software',
      'shape_mismatch',
      [
        'File "/env/site-packages/norm/fused.py", line 19, in forward',
        'return fused(input, weight)',
        'RuntimeError: a Tensor with 1024 elements cannot be converted to Scalar',
      ],
    ],
    [
      'of how work is split',
      'model_software',
      'invalid_configuration',
      ['RuntimeError: world_size (6) is not divisible by 4'],
    ],
    [
      'in the step of an optimizer whose state is of other sizes',
      'model_software',
      'checkpoint_mismatch',
      [
        '  File "/env/site-packages/torch/optim/adam.py", line 84, in adam',
        '    exp_avg.mul_(beta1).add_(grad, alpha=1 - beta1)',
        'RuntimeError: The size of tensor a (96) must match the size of tensor b (3) at non-singleton dimension 3',
      ],
    ],
  ])('%s', async (_about, category, subcause, lines) => {
    expect(await judge(lines)).toMatchObject({ category, subcause, abstained: false });
  });
});

describe('an end without a word', () => {
  it('of native code is a guess, and is told where something says whose code it was', async () => {
    const steps = ['epoch 0 1/2 loss 0.019', 'epoch 0 2/2 loss 0.018'];
    expect(await judge([...steps, 'Segmentation fault (core dumped)'])).toMatchObject({
      category: 'unknown',
    });
    const stack = [
      'Fatal Python error: Segmentation fault',
      '  File "/app/ops/fused.py", line 31 in forward',
    ];
    expect(await judge([...steps, ...stack, 'Segmentation fault (core dumped)'])).toMatchObject({
      subcause: 'native_crash',
    });
  });

  it('by a signal is read from the code that a launcher returns', async () => {
    const said = (code: number) => [`[launch.py:347] Process 80 exits with return code = ${code}`];
    expect(await judge(said(-9))).toMatchObject({ category: 'memory_hardware' });
    expect((await judge(said(0))).category).not.toBe('memory_hardware');
  });

  it('of a library for the device is not of the code', async () => {
    const raised = (message: string) => [
      '  File "train.py", line 161, in train',
      '    loss.backward()',
      `RuntimeError: ${message}`,
    ];
    expect(await judge(raised('cuDNN error: CUDNN_STATUS_EXECUTION_FAILED'))).toMatchObject({
      category: 'memory_hardware',
    });
    expect((await judge(raised('Trying to resize storage'))).category).not.toBe('memory_hardware');
  });

  it('is not told by a launcher’s table alone', async () => {
    const table = [
      'torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ',
      '============================================================',
      'train.py FAILED',
      '------------------------------------------------------------',
      'Root Cause (first observed failure):',
      '[0]:',
      '  time      : 2026-02-17_10:44:51',
      '  host      : node07',
      '  rank      : 0 (local_rank: 0)',
      '  exitcode  : 1 (pid: 81208)',
      '  error_file: <N/A>',
      '  traceback : To enable traceback see: https://pytorch.org/docs/stable/elastic/errors.html',
      '============================================================',
    ];
    expect(await judge(table)).toMatchObject({ category: 'unknown' });
    expect(await judge(["NameError: name 'criterion' is not defined", ...table])).toMatchObject({
      category: 'model_software',
    });
  });

  it('is not named where a loop stopped by itself since its loss was no number', async () => {
    const left = (loss: string) =>
      judge([
        'Epoch: [3]  [ 60/910]  lr: 0.000020  loss: 0.4417 (0.4620)  time: 1.2044',
        `Epoch: [3]  [ 80/910]  lr: 0.000020  loss: ${loss}  time: 1.2101`,
        'E0301 10:00:00.120000 70 torch/distributed/elastic/multiprocessing/api.py:900] failed (exitcode: 1) local_rank: 0 (pid: 81) of binary: /usr/bin/python3',
      ]);
    expect(await left('0.4391 (0.4602)')).toMatchObject({ subcause: 'code_error' });
    const broke = await left('nan (nan)');
    expect(broke.outcome).toBe('failed');
    expect(broke.hypotheses.map(({ subcause }) => subcause)).not.toContain('code_error');
  });

  it('is none where an allocator says that it goes on without', async () => {
    const said =
      '2026-08-11 20:10:41.514310: W core/bfc_allocator.cc:217] Allocator (GPU_0_bfc) ran out of memory trying to allocate 2.61GiB. The caller indicates that this is not a failure, but more memory would be quicker.';
    const steps = [1, 0.98, 1].map((score, at) => `step ${100 * at}, training accuracy ${score}`);
    expect((await judge([...steps, said, 'test accuracy 0.9923'])).category).not.toBe('memory_hardware');
    const raised = 'torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.61 GiB';
    expect(await judge([...steps, raised])).toMatchObject({ category: 'memory_hardware' });
  });
});

describe('what libraries say in their own way', () => {
  const status =
    'W tensorflow/core/framework/op_kernel.cc:975] Invalid argument: Received a label value of 255 which is outside the valid range of [0, 10).';

  it('a status that an operation gave back is no warning', async () => {
    const cut = [
      'Traceback (most recent call last):',
      '  File "train.py", line 137, in <module>',
      '    run()',
    ];
    expect(await judge([status, ...cut])).toMatchObject({ subcause: 'label_out_of_range' });
    expect(
      await judge([status, ...[1, 2, 3].map((step) => `step ${step} loss 2.${step}`)]),
    ).not.toMatchObject({
      outcome: 'failed',
    });
  });

  it('what workers share and cannot write is memory, and a file that cannot be written is not', async () => {
    const raised = (file: string, line: string) => [
      'Traceback (most recent call last):',
      `  File "${file}", line 333, in share`,
      '    fd = share()',
      line,
    ];
    const reductions = '/usr/lib/python3.11/site-packages/torch/multiprocessing/reductions.py';
    expect(
      await judge(raised(reductions, 'RuntimeError: unable to write to file </torch_15_17>')),
    ).toMatchObject({
      subcause: 'shared_memory',
    });
    expect(
      await judge(raised('train.py', 'RuntimeError: unable to write to file <out.bin>')),
    ).not.toMatchObject({
      subcause: 'shared_memory',
    });
  });

  it('a key that a model’s output lacks is no missing data', async () => {
    const raised = (source: string) => [
      'Traceback (most recent call last):',
      '  File "trainer.py", line 9, in compute',
      `    ${source}`,
      '  File "file_utils.py", line 1738, in __getitem__',
      '    return inner[k]',
      "KeyError: 'loss'",
    ];
    expect((await judge(raised('loss = outputs["loss"]'))).category).not.toBe('data_pipeline');
    expect(await judge(raised('loss = batch["loss"]'))).toMatchObject({ subcause: 'missing_data' });
  });

  it('an exploded loss that a script raises is a divergence', async () => {
    const raised = [
      'Step 1 loss=6.7',
      'Traceback (most recent call last):',
      '  File "train.py", line 313, in train',
      "    raise Exception('Loss exploded')",
      'Exception: Loss exploded',
    ];
    expect(await judge(raised)).toMatchObject({ category: 'optimization' });
  });

  it('a loss of exactly zero beside wrong answers measures something else', async () => {
    const rows = (score: number) =>
      [1, 2, 3, 4].map((epoch) => `Epoch ${epoch}: Train Loss: 0.0000 Train Acc: ${score}`);
    expect(await judge(rows(0.5013))).toMatchObject({ subcause: 'wrong_objective' });
    expect(await judge(rows(1))).not.toMatchObject({ subcause: 'wrong_objective' });
  });

  it('a table may count with a sign in its names', async () => {
    const table = (last: string) => [
      'Iteration\tTraining Loss\tTesting # Correct\tAccuracy',
      ...[871.7, 134.9, 103.6, 64.1, 51.7, 39.3].map(
        (loss, at) => `${1000 * (at + 1)}\t${loss}\t${98000 + 900 * at}\t${66 + at}`,
      ),
      last,
    ];
    expect(
      await judge([...table('7000\t126072.6\t98386\t65.9'), '8000\t108670.1\t98428\t66.0']),
    ).toMatchObject({ category: 'optimization' });
    expect(await judge([...table('7000\t35.1\t104386\t72.9'), '8000\t33.2\t104428\t73.0'])).not.toMatchObject(
      { category: 'optimization' },
    );
  });
});

describe('errors that other output runs through, or that were cut', () => {
  it('keep their frames where a loop prints between the header and them', async () => {
    const printed = [
      '  0%|          | 0/4 [00:00<?, ?it/s]Traceback (most recent call last):',
      'labels:[-100, -100, -100, 12, 13]',
      'labels:[-100, -100, -100, 12, 14]',
      '  File "/repo/train.py", line 70, in <module>',
      '    trainer.train()',
      '  File "/repo/train.py", line 34, in compute_loss',
      '    output = model(inputs=inputs["input_ids"])',
      "KeyError: 'input_ids'",
    ];
    expect(await judge(printed)).toMatchObject({ outcome: 'failed', category: 'model_software' });
  });

  it('speak through the source that raises them where the message is missing', async () => {
    const shown = (message: string) => [
      'ZeroDivisionError                         Traceback (most recent call last)',
      '/tmp/ipython-input-1.py in <cell line: 0>()',
      '----> 2 trainer = mask_prompts(',
      '/usr/lib/python3.12/dist-packages/zoo/training.py in fix_loss(model, dataset)',
      '     71         elif seen_bad == seen:',
      '---> 72             raise ZeroDivisionError(',
      `     73                 "${message}\\n"\\`,
    ];
    expect(await judge(shown('All labels in your dataset are -100.'))).toMatchObject({
      category: 'data_pipeline',
    });
    expect(await judge(shown('The number of workers is zero.'))).not.toMatchObject({
      category: 'data_pipeline',
    });
  });

  it('are read as one message where a page broke them anywhere', async () => {
    const broken = [
      'lora_unet_input_blocks_7_1_proj_in.lora_up.weight: copying a param with',
      'shape',
      'torch.Size([1280, 8]) from checkpoint, the shape in current model is',
      'torch.Size([1280, 16]).',
      '        size mismatch for',
      'lora_unet_input_blocks_7_1_attn1_to_q.lora_down.weight:',
      'copying a param',
    ];
    expect(await judge(broken)).toMatchObject({ subcause: 'checkpoint_mismatch' });
    const remark = [
      'all keys matched',
      'the shape in the checkpoint and the shape in the current model agree',
    ];
    expect(await judge(remark)).toMatchObject({ outcome: 'unknown' });
  });
});

describe('ranks that do not meet', () => {
  const refused = 'n1:941:943 [0] NCCL INFO Call to connect returned Connection refused, retrying';
  const steps = Array.from({ length: 12 }, (_, at) => `step ${at} loss ${(2 - 0.1 * at).toFixed(3)}`);

  it('are told by lines of the communication alone, and not where training goes on', async () => {
    expect(await judge([refused, refused])).toMatchObject({ subcause: 'missing_rank' });
    expect(await judge([refused, refused, ...steps])).toMatchObject({ outcome: 'unknown' });
    const twice =
      'n1:18569:18835 [0] bootstrap.cc:131 NCCL WARN Bootstrap Root : rank 1 of 8 ranks has already checked in';
    expect(await judge([twice])).toMatchObject({ category: 'memory_hardware' });
  });

  it('are told by those who wait for them', async () => {
    const waits =
      'step 12 loss 0.81]WARNING: One or more tensors were submitted to be reduced, gathered or broadcasted by subset of ranks and are waiting for remainder of ranks for more than 60 seconds.';
    expect(await judge([...steps, waits])).toMatchObject({ category: 'memory_hardware' });
    const later = Array.from(
      { length: 12 },
      (_, at) => `step ${13 + at} loss ${(0.8 - 0.02 * at).toFixed(3)}`,
    );
    expect(await judge([...steps, waits, ...later])).not.toMatchObject({ category: 'memory_hardware' });
  });
});

describe('a scheduler that refuses', () => {
  it('says what was asked wrongly', async () => {
    const refused =
      'sbatch: error: Batch job submission failed: Requested time limit is invalid (missing or exceeds some limit)';
    expect(await judge([refused])).toMatchObject({ outcome: 'failed', subcause: 'invalid_configuration' });
    expect(await judge(['Submitted batch job 4711'])).toMatchObject({ outcome: 'unknown' });
  });
});

describe('a device', () => {
  it('that nobody finds ends a program that asks for one, and not one that only looks', async () => {
    expect(await judge(['RuntimeError: No CUDA GPUs are available'])).toMatchObject({
      category: 'memory_hardware',
    });
    const looked =
      'E0000 00:00:1794727673.799520   24797 cuda_platform.cc:52] failed call to cuInit: INTERNAL: CUDA error: Failed call to cuInit: UNKNOWN ERROR (303)';
    const steps = Array.from({ length: 12 }, (_, at) => `step ${at} loss ${(2 - 0.1 * at).toFixed(3)}`);
    expect(await judge([looked, ...steps])).toMatchObject({ outcome: 'unknown', subcause: null });
  });
});
