export { loadDayKinds, loadIsWorkday } from './holiday.ts'
export { onHolidaysChanged, registerHolidayGuard } from './holiday-changes.ts'
export { setMailAddressLookup } from './notification-mail.ts'
export {
  setPermissionHolderLookup,
  defineNotificationKind,
  notify,
  markNotificationsOfRead,
  retractNotifications,
  type NotificationRequest,
  type NotificationKind,
  type NotificationReceivers,
} from './notify.ts'
