import { menu as payments, paths as paymentPaths } from '#modules/payments/module.ts'

export const channelSettings = paymentPaths.channels
export const channelPermission = payments.channel.permissions.view
