import type { App } from '#kit/server/app.ts'
import { installationSecretOf } from '#kit/server/installation-secret.ts'
import { smsSettings } from './settings.ts'

/** What the addresses for delivery reports and replies end with: only the provider knows it. */
export const smsReportKey = async (app: App): Promise<string> =>
  smsSettings.reportKey.read() || (await installationSecretOf(app.database, 'sms-report'))
