// Files in an S3 bucket: AWS's own, or any server that speaks its protocol (`AWS_ENDPOINT_URL_S3`).
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  S3Client,
  S3ServiceException,
  type ListObjectsV2CommandOutput,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { parseId, type Id } from '#kit/domain/id.ts'
import { errorCode, errorMessage } from './database-error.ts'
import { writeDiskFile } from './disk-file.ts'
import { isDiskFullError } from './disk-space.ts'
import { FileStoreUnavailable, type FileStorage } from './file-storage.ts'
import { settings } from './settings.ts'

export interface Bucket {
  readonly client: S3Client
  readonly name: string
  /** In front of every key, so that a bucket can be shared. */
  readonly prefix: string
}

/** For how long nothing may come or go before a call is tried once more, and then given up. */
const defaultSilenceMs = 15_000
const maxAttempts = 2

/**
 * The bucket `name` or `name/prefix`, with the settings that the AWS SDK itself reads: `AWS_REGION`,
 * `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_ENDPOINT_URL_S3`. A custom endpoint is addressed by path
 * (`http://host/bucket/key`), and gets no checksums that only AWS knows.
 */
export function openBucket(nameAndPrefix: string, silenceMs = defaultSilenceMs): Bucket {
  const [name = '', ...folders] = nameAndPrefix.split('/').filter(Boolean)
  const endpoint = settings.s3Endpoint.read() || settings.awsEndpoint.read()
  const client = new S3Client({
    region: settings.awsRegion.read(),
    maxAttempts,
    // Not `requestTimeout`: it only writes a warning, and a large part may rightly take longer.
    requestHandler: { socketTimeout: silenceMs, connectionTimeout: 5_000 },
    ...(endpoint && {
      endpoint,
      forcePathStyle: true,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    }),
  })
  return { client, name, prefix: folders.map(folder => `${folder}/`).join('') }
}

/** What is wrong on our side: the file to be sent is gone, or there is no space for a copy. */
const isLocalFault = (error: unknown): boolean => isDiskFullError(error) || errorCode(error) === 'ENOENT'

/** Whatever else goes wrong is the object store's: it is away, or refuses us. */
const reach = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw isLocalFault(error) || error instanceof FileStoreUnavailable
      ? error
      : new FileStoreUnavailable(error)
  })

const statusOf = (error: unknown): number | undefined =>
  error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined

/** Undefined where the bucket has no such object; a missing bucket is an error. */
const unlessMissing = <T>(work: Promise<T>): Promise<T | undefined> =>
  reach(
    work.catch((error: unknown) => {
      const isBucketMissing = error instanceof S3ServiceException && error.name === 'NoSuchBucket'
      if (statusOf(error) === 404 && !isBucketMissing) return undefined
      throw error
    }),
  )

/** Why files cannot be kept in a bucket, for the administrator who configured it; undefined when they can. */
export async function findBucketFault({ client, name }: Bucket): Promise<string | undefined> {
  try {
    await client.send(new HeadBucketCommand({ Bucket: name }))
    return undefined
  } catch (error) {
    const status = statusOf(error)
    if (status === 404) return `没有名为 ${name} 的桶，请先创建，或核对 S3_BUCKET`
    if (status === 401 || status === 403)
      return `无权访问桶 ${name}，请核对 AWS_ACCESS_KEY_ID 与 AWS_SECRET_ACCESS_KEY`
    return `无法连接对象存储（${errorMessage(error)}），请核对 AWS_ENDPOINT_URL_S3 与网络`
  }
}

/** Large files go up in parts of this size, at most two at a time: 16 MB of memory an upload. */
const partBytes = 8 * 1048576
const partsAtOnce = 2

/** Before them an answer can still say that the store is away. */
const firstBytes = (body: Readable): Promise<void> =>
  new Promise((resolve, reject) => {
    body.once('readable', resolve)
    body.once('error', reject)
  })

const lastStep = (path: string): string => path.split('/').findLast(Boolean) ?? ''

/**
 * The responses of a list, page by page: the objects under a prefix, or with a delimiter the folders there.
 */
async function* listPages(
  { client, name }: Bucket,
  of: { readonly Prefix: string; readonly Delimiter?: string },
): AsyncIterable<ListObjectsV2CommandOutput> {
  let token: string | undefined
  do {
    const page = await reach(
      client.send(new ListObjectsV2Command({ Bucket: name, ...of, ContinuationToken: token })),
    )
    yield page
    token = page.NextContinuationToken
  } while (token)
}

async function* listKeys(bucket: Bucket, folder: string): AsyncIterable<string> {
  for await (const { Contents = [] } of listPages(bucket, { Prefix: folder })) {
    yield* Contents.flatMap(({ Key }) => (Key ? [lastStep(Key)] : []))
  }
}

async function listOwners(bucket: Bucket): Promise<Id[]> {
  const owners: Id[] = []
  for await (const { CommonPrefixes = [] } of listPages(bucket, { Prefix: bucket.prefix, Delimiter: '/' })) {
    owners.push(...CommonPrefixes.map(({ Prefix = '' }) => parseId(lastStep(Prefix))))
  }
  return owners.filter(ownerId => ownerId !== 0)
}

/**
 * `prefix1/3fa2…`: the company, then the file's key. `temporaryFolder` holds copies for as long as they are
 * read.
 */
export function s3Storage(bucket: Bucket, temporaryFolder: string): FileStorage {
  const { client, name, prefix } = bucket
  const at = (ownerId: Id, key: string) => ({ Bucket: name, Key: `${prefix}${ownerId}/${key}` })
  const read: FileStorage['read'] = async (ownerId, key, range) => {
    const found = await unlessMissing(
      client.send(
        new GetObjectCommand({
          ...at(ownerId, key),
          ...(range && { Range: `bytes=${range.start}-${range.end}` }),
        }),
      ),
    )
    if (!(found?.Body instanceof Readable)) return undefined
    await reach(firstBytes(found.Body))
    return found.Body
  }
  return {
    put: async (ownerId, key, content) => {
      const body = 'bytes' in content ? Buffer.from(content.bytes) : createReadStream(content.path)
      const upload = new Upload({
        client,
        params: { ...at(ownerId, key), Body: body },
        partSize: partBytes,
        queueSize: partsAtOnce,
      })
      await reach(upload.done())
      if ('path' in content && !content.isKept) {
        await rm(content.path, { force: true })
      }
    },
    read,
    withPath: async (ownerId, key, work) => {
      const path = join(temporaryFolder, randomUUID())
      await mkdir(temporaryFolder, { recursive: true, mode: 0o700 })
      try {
        const bytes = await read(ownerId, key)
        if (!bytes) throw new Error(`the bucket has no file ${key}`)
        await reach(pipeline(bytes, writeDiskFile(path)))
        return await work(path)
      } finally {
        await rm(path, { force: true })
      }
    },
    describe: async (ownerId, key) => {
      const found = await unlessMissing(client.send(new HeadObjectCommand(at(ownerId, key))))
      return found && { size: found.ContentLength ?? 0, modified: found.LastModified ?? new Date(0) }
    },
    remove: async (ownerId, key) => {
      await reach(client.send(new DeleteObjectCommand(at(ownerId, key))))
    },
    keys: ownerId => listKeys(bucket, `${prefix}${ownerId}/`),
    owners: () => listOwners(bucket),
  }
}
