import { afterEach, expect, it, vi } from 'vitest'
import { settingGroups } from '#apps/server/setting-groups.ts'
import { assertSettings } from '#kit/server/setting.ts'
import { renderSettings } from './settings-page.ts'
import { filesUnder, readSource, root } from './source-files.ts'

it('docs/settings.md is up to date', () =>
  expect(readSource('docs/settings.md') === renderSettings(), 'run: npm run map').toBe(true))

it('every setting is named once', () => {
  const names = settingGroups.flatMap(group => group.settings.map(setting => setting.name))
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})

// What hands the environment on to a child process, or belongs to tests alone.
const exempt = new Set([
  'kit/server/setting.ts',
  'kit/server/statement-log.ts',
  'kit/server/postgres/postmaster.ts',
])

it('the product reads the environment through the table of settings alone', () => {
  const sources = ['apps/server', 'kit/server', 'modules']
    .flatMap(folder => filesUnder(folder, /\.ts$/))
    .filter(file => !/\.test\.ts$|fixtures/.test(file) && !exempt.has(file))
  expect(sources.filter(file => /process\.env/.test(readSource(file)))).toEqual([])
})

afterEach(() => vi.unstubAllEnvs())

it('the settings of every module are checked at the start', async () => {
  const files = ['kit/server', 'modules']
    .flatMap(folder => filesUnder(folder, /settings\.ts$/))
    .filter(
      file => /\/server\/([\w-]+-)?settings\.ts$/.test(file) && readSource(file).includes('SettingGroup'),
    )
  expect(files.length).toBeGreaterThan(3)
  for (const file of files) {
    const exported = Object.values<unknown>(await import(`${root}/${file}`))
    const isChecked = settingGroups.some(group => exported.includes(group))
    expect(isChecked, file).toBe(true)
  }
})

it.each([
  ['SMTP_TLS', 'maybe'],
  ['SMTP_PORT', '99999'],
  ['SMTP_HOST', 'http://mail.example.com/x'],
  ['SMTP_FROM', '安居'],
  ['WEBHOOK_LOG_DAYS', '-3'],
  ['OIDC_TIMEOUT', 'x'],
  ['DATA_KEY', 'abc'],
  ['TRUST_PROXY', 'nonsense'],
  ['DATABASE_URL', 'mysql://x'],
  ['WECHAT_API_URL', 'api.weixin.qq.com'],
  ['SMS_ENDPOINT', 'ftp://x'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', '127.0.0.1:4318'],
  ['S3_BUCKET', 'my bucket'],
])('a start ends with a message about %s=%s', (name, value) => {
  vi.stubEnv(name, value)
  expect(() => assertSettings(settingGroups)).toThrow(new RegExp(`^设置 ${name} 的值.*不对，应为`))
})

it('a start names all wrong settings at once, without their secrets', () => {
  vi.stubEnv('SMTP_TLS', 'maybe')
  vi.stubEnv('DATABASE_URL', 'mysql://user:hidden-word@x')
  expect(() => assertSettings(settingGroups)).toThrow(/DATABASE_URL[^]*\n[^]*SMTP_TLS/)
  expect(() => assertSettings(settingGroups)).not.toThrow(/hidden-word/)
})

it.each([
  ['TRUST_PROXY', 'loopback, 10.0.0.0/8'],
  ['DATABASE_URL', 'postgres://a:b@/db?host=/run/postgresql'],
  ['DATABASE_URL', 'postgresql://127.0.0.1:5432/anju'],
  ['SMTP_FROM', '安居 <notice@example.com>'],
  ['SMTP_FROM', 'notice@example.com'],
  ['SMTP_HOST', '[::1]'],
  ['S3_BUCKET', 'files/anju/1'],
  ['DATA_KEY', Buffer.alloc(32, 7).toString('base64')],
])('a start takes %s=%s', (name, value) => {
  vi.stubEnv(name, value)
  expect(() => assertSettings(settingGroups)).not.toThrow()
})
