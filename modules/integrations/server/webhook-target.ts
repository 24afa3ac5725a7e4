import { createTargetGuard } from '#kit/server/outbound-target.ts'
import { integrationSettings } from './settings.ts'

/** Where webhooks may go. */
export const webhookTarget = createTargetGuard({
  allowsPrivate: integrationSettings.allowPrivateWebhooks.read,
  actionLabel: '推送到',
})
