import { compile } from '@fastify/proxy-addr'
import { keyBytes } from './encryption-key.ts'
import {
  addressSetting,
  flagSetting,
  numberSetting,
  textSetting,
  wordSetting,
  type Setting,
  type SettingGroup,
} from './setting.ts'

const checkProxies = (text: string): string | undefined => {
  try {
    compile(splitProxies(text))
    return undefined
  } catch {
    return '应为用逗号隔开的 IP 地址、网段，或 loopback、linklocal、uniquelocal'
  }
}

const checkDatabaseUrl = (text: string): string | undefined =>
  /^postgres(ql)?:\/\/[^\s/]/i.test(text) ? undefined : '应为 postgres://用户:口令@主机/库 形式的地址'

const checkDataKey = (text: string): string | undefined =>
  Buffer.from(text.trim(), 'base64').length === keyBytes ? undefined : `应为 ${keyBytes} 字节的 Base64`

/** The addresses in the value of `TRUST_PROXY`. */
export const splitProxies = (text: string): string[] => text.split(',').map(part => part.trim())

const anyCount = { min: 1, max: 1_000_000 }

/** The settings of the server itself; those of a module are in its `server/settings.ts`. */
export const settings = {
  port: numberSetting('PORT', 8100, { min: 1, max: 65535 }, '服务的端口，同 `--port`'),
  host: textSetting('HOST', '127.0.0.1', '监听地址；默认只听本机，对外服务设为 `0.0.0.0`'),
  dataDir: textSetting('DATA_DIR', './data', '数据目录，同 `--data`'),
  databaseUrl: textSetting(
    'DATABASE_URL',
    '',
    '自己的 PostgreSQL（≥ 15），如 `postgres://用户:口令@主机/库`；不设时使用自带的，数据在数据目录',
    checkDatabaseUrl,
  ),
  databasePool: numberSetting(
    'DATABASE_POOL',
    16,
    { min: 1, max: 1000 },
    '每个进程处理请求所用的数据库连接数',
  ),
  trustProxy: textSetting(
    'TRUST_PROXY',
    'loopback',
    '可信代理的地址，其转发的来源地址算数，如 `loopback, 10.0.0.0/8`',
    checkProxies,
  ),
  runsJobs: flagSetting('WORKS', true, '`0`：本进程不做后台任务与定时任务，留给其他节点'),
  connectionsPerAddress: numberSetting(
    'CONNECTIONS_PER_ADDRESS',
    2000,
    anyCount,
    '一个地址最多打开的连接数；可信代理不计',
  ),
  logLevel: wordSetting(
    'LOG_LEVEL',
    '',
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    '日志级别，含义见 `docs/operation.md`；不设时输出到终端为 `warn`，输出到文件或管道为 `info`',
  ),
  slowStatementMs: numberSetting(
    'SLOW_STATEMENT_MS',
    1000,
    { min: 1, max: 3_600_000 },
    '一条数据库语句用时超过此毫秒数就记入日志（`slow statement`），附接口或任务的名称',
  ),
  traceEndpoint: addressSetting(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    '',
    'OpenTelemetry 收集器的地址（OTLP/HTTP，如 `http://127.0.0.1:4318`）；不设时不产生追踪，也不载入 SDK',
  ),
  traceService: textSetting('OTEL_SERVICE_NAME', 'anju', '追踪里的服务名称'),
  metricsToken: textSetting(
    'METRICS_TOKEN',
    '',
    '其他机器读取 `/metrics` 所带的口令（`Authorization: Bearer …`）；不设时只有本机可读',
  ),
  publicApiDocs: flagSetting('PUBLIC_API_DOCS', false, '`1`：没有登录也能看接口说明 `/api/openapi.json`'),
  dataKey: textSetting(
    'DATA_KEY',
    '',
    '加密指纹模板等所用的密钥，32 字节的 Base64；不设时在数据目录生成 `data.key`',
    checkDataKey,
  ),
  bucket: textSetting('S3_BUCKET', '', '文件存到对象存储：桶名，可加 `/前缀`；不设时存在数据目录', text =>
    /^[\w.-]+(\/[^/\s]+)*\/?$/.test(text) ? undefined : '应为桶名，可加 /前缀',
  ),
  awsRegion: textSetting('AWS_REGION', 'us-east-1', '对象存储的区域'),
  awsKeyId: textSetting('AWS_ACCESS_KEY_ID', '', '对象存储的访问编号，由 AWS SDK 读取'),
  awsSecret: textSetting('AWS_SECRET_ACCESS_KEY', '', '对象存储的访问密钥，由 AWS SDK 读取'),
  s3Endpoint: addressSetting('AWS_ENDPOINT_URL_S3', '', '自建对象存储的地址，由 AWS SDK 读取'),
  awsEndpoint: addressSetting('AWS_ENDPOINT_URL', '', '同上，对 AWS 的所有服务'),
  distributeUrl: textSetting(
    'DISTRIBUTE_URL',
    '',
    '`npm run distribute` 所用的超级用户的数据库地址，同 `--admin`',
    checkDatabaseUrl,
  ),
} satisfies Record<string, Setting<unknown>>

export const serverSettings: SettingGroup = { title: '服务', settings: Object.values(settings) }
