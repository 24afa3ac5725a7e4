import { createTargetGuard } from '#kit/server/outbound-target.ts'
import { integrationSettings } from './settings.ts'

/** The addresses to which webhooks may be sent. */
export const webhookTarget = createTargetGuard({
  allowsPrivate: integrationSettings.allowPrivateWebhooks.read,
  actionLabel: '推送到',
})
