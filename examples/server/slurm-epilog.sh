#!/bin/sh
# Epilog=/etc/slurm/grus-epilog.sh in slurm.conf: when a job has ended, its output goes to the server.
# /etc/grus.env holds GRUS_SERVER and GRUS_TOKEN. An epilogue that fails takes its node out of service. So everything is done in a
# shell of its own: a file that is not there or is wrong would end this one.
(
  set -a
  . "${GRUS_ENV:-/etc/grus.env}"
  output=$(scontrol show job "$SLURM_JOB_ID" --oneliner | sed -n 's/.* StdOut=\([^ ]*\).*/\1/p')
  if [ -f "$output" ]; then
    timeout 60 grus push "$output" --project "${SLURM_JOB_ACCOUNT:-default}" --name "slurm:$SLURM_JOB_ID"
  fi
) >/dev/null 2>&1
exit 0
