import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { App } from '#kit/server/app.ts'
import { hasAnyCompany } from '#kit/server/directory.ts'
import { loadInstallationSecret } from '#kit/server/installation-secret.ts'
import { settings } from '#kit/server/settings.ts'
import { isPublicHost } from '#kit/server/startup/public-host.ts'
import { createInputRefusal } from './field-refusal.ts'

/** Where other machines reach an empty installation, any of them could make itself its owner. */
export const needsSetupCode = (): boolean => isPublicHost(settings.host.read())

/** The same code in every process, because any of them may receive the request. */
const loadSetupCode = ({ database }: Pick<App, 'database'>): Promise<string> =>
  loadInstallationSecret(database, 'setup-code', () => randomBytes(8).toString('hex'))

/** Only who reads the log of the start may set up what other machines reach. */
export async function logSetupCode(app: App): Promise<void> {
  if (!needsSetupCode() || (await hasAnyCompany(app.database.reader('*')))) return
  app.log.warn(`初始化码：${await loadSetupCode(app)}，在初始化设置的页面填写`)
}

export async function assertSetupCode(app: App, setupCode: string | undefined): Promise<void> {
  if (!needsSetupCode()) return
  const expected = Buffer.from(await loadSetupCode(app))
  const found = Buffer.from(setupCode?.trim() ?? '')
  if (found.length !== expected.length || !timingSafeEqual(found, expected))
    throw createInputRefusal('SetupCode', '初始化码不正确，请查看服务的启动日志')
}
