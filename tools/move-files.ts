import { StartupError } from '#kit/server/postgres/startup-error.ts'
import { folderStorage } from '#kit/server/file-storage.ts'
import { findBucketFault, openBucket, s3Storage } from '#kit/server/s3-storage.ts'
import { copyStorage } from '#kit/server/storage-copy.ts'
import { uploadFolder } from '#kit/server/upload.ts'
import { parseArguments, resolveDataDir, runCommand } from './command-line.ts'
import { settings } from '#kit/server/settings.ts'

const USAGE = 'npm run move-files -- --to s3|folder [--bucket 桶名/前缀] [--data ./data] [--remove]'

const reportEvery = 1000

/**
 * Copies the files of this installation from the data folder to a bucket, or back. May be cut and run again.
 * The server chooses its storage when it starts: it is stopped for the last run, and started with the other.
 */
await runCommand(async () => {
  const { values } = parseArguments(
    {
      to: { type: 'string' },
      bucket: { type: 'string' },
      data: { type: 'string' },
      remove: { type: 'boolean' },
    },
    USAGE,
  )
  const name = values.bucket ?? settings.bucket.read()
  if (!name) throw new StartupError(`请用 --bucket 或 S3_BUCKET 指定桶名。\n用法：${USAGE}`)
  if (values.to !== 's3' && values.to !== 'folder')
    throw new StartupError(`请用 --to 指定目标：s3 或 folder。\n用法：${USAGE}`)
  const dataDir = resolveDataDir(values.data)
  const disk = folderStorage(dataDir)
  const target = openBucket(name)
  const fault = await findBucketFault(target)
  if (fault) throw new StartupError(fault)
  const bucket = s3Storage(target, uploadFolder(dataDir))
  const [from, to] = values.to === 's3' ? [disk, bucket] : [bucket, disk]
  const tally = await copyStorage(from, to, {
    removesSource: values.remove ?? false,
    onFile: ({ copied, present }) => {
      if ((copied + present) % reportEvery === 0) {
        console.log(`已核对 ${copied + present} 个文件，其中复制 ${copied} 个`)
      }
    },
  })
  const megabytes = (tally.bytes / 2 ** 20).toFixed(1)
  console.log(
    `完成：共 ${tally.copied + tally.present} 个文件 ${megabytes} MB，本次复制 ${tally.copied} 个，均已按 SHA-256 核对。`,
  )
  console.log(
    values.to === 's3'
      ? `停机后再执行一次，然后设置 S3_BUCKET=${name} 启动。`
      : '停机后再执行一次，然后取消 S3_BUCKET 启动。',
  )
})
