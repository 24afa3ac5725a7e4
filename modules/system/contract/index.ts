import * as announcement from './announcement.ts'
import * as enums from './enums.ts'
import * as file from './file.ts'
import { holidayType, holiday, holidayCalls } from './holiday.ts'
import * as message from './notification.ts'
import * as setup from './user-setting.ts'
import * as suggest from './suggestion.ts'
import * as task from './task.ts'
import { getMenuCounts, getWorkQueues } from './work-queue.ts'

export const contract = {
  calls: [
    task.listTasks,
    task.getTask,
    task.cancelTask,
    task.retryTask,
    task.downloadTaskResult,
    task.downloadTaskFaults,
    file.uploadFile,
    file.getFile,
    file.getFileUrls,
    enums.listEnums,
    setup.getUserSettings,
    setup.saveUserSetting,
    message.listNotifications,
    message.getNotification,
    message.countUnreadNotifications,
    message.markNotificationsRead,
    message.deleteNotifications,
    message.getNotificationSetting,
    message.saveNotificationSetting,
    announcement.listAnnouncements,
    announcement.listUnreadAnnouncements,
    announcement.addAnnouncement,
    announcement.deleteAnnouncements,
    suggest.listSuggestions,
    suggest.handleSuggestions,
    suggest.addSuggestion,
    suggest.listOwnSuggestions,
    getWorkQueues,
    getMenuCounts,
    ...holidayCalls,
  ],
  entities: [
    task.taskCenter,
    message.notification,
    announcement.systemNotice,
    suggest.propertySuggest,
    holiday,
  ],
  choices: [
    task.taskType,
    task.taskState,
    message.notificationGroup,
    message.notificationLevel,
    message.receiverKind,
    holidayType,
  ],
}
