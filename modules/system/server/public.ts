export { workdaysOf } from './holiday.ts'
export { linkHolders, noticeKind, notify, type Notice, type NoticeKind, type Receivers } from './notify.ts'
