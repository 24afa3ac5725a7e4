export { loadIsWorkday } from './holiday.ts'
export { setMailAddressLookup } from './notification-mail.ts'
export {
  setPermissionHolderLookup,
  defineNotificationKind,
  notify,
  type NotificationRequest,
  type NotificationKind,
  type NotificationReceivers,
} from './notify.ts'
