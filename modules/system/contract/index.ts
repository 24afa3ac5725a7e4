import * as announcement from './announcement.ts'
import * as enums from './enums.ts'
import * as file from './file.ts'
import { dayType, holiday, holidayCalls } from './holiday.ts'
import * as message from './message.ts'
import * as setup from './setup.ts'
import * as suggest from './suggest.ts'
import * as task from './task.ts'

export const contract = {
  calls: [
    task.listTasks,
    task.oneTask,
    task.cancelTask,
    task.retryTask,
    task.taskResult,
    task.taskFaults,
    file.uploadFile,
    file.getFile,
    file.fileUrls,
    enums.listEnums,
    setup.getSetup,
    setup.putSetup,
    message.listMessages,
    message.oneMessage,
    message.countMessages,
    message.readMessages,
    message.deleteMessages,
    message.getNoticeSetting,
    message.putNoticeSetting,
    announcement.listNotices,
    announcement.newNotices,
    announcement.addNotice,
    announcement.deleteNotices,
    suggest.listSuggests,
    suggest.readSuggests,
    suggest.addSuggest,
    suggest.ownSuggests,
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
    message.noticeGroup,
    message.noticeLevel,
    message.receiverKind,
    dayType,
  ],
}
