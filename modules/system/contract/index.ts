import * as enums from './enums.ts'
import * as file from './file.ts'
import * as setup from './setup.ts'
import * as task from './task.ts'

export const contract = {
  calls: [
    task.listTasks, task.oneTask, task.cancelTask, task.retryTask, task.taskResult, task.taskFaults,
    file.uploadFile, file.getFile, file.fileUrls, enums.listEnums, setup.getSetup, setup.putSetup,
  ],
  entities: [task.taskCenter],
  choices: [task.taskType, task.taskState],
}
