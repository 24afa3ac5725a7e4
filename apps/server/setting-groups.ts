import { mailSettingGroup } from '#kit/server/mail-settings.ts'
import type { SettingGroup } from '#kit/server/setting.ts'
import { serverSettings } from '#kit/server/settings.ts'
import { accountsSettings } from '#modules/accounts/server/settings.ts'
import { integrationSettingGroup } from '#modules/integrations/server/settings.ts'
import { messagingSettings } from '#modules/messaging/server/settings.ts'

/** Every setting of the product, in the order of their page. All of them are checked at the start. */
export const settingGroups: readonly SettingGroup[] = [
  serverSettings,
  accountsSettings,
  messagingSettings,
  mailSettingGroup,
  integrationSettingGroup,
]
