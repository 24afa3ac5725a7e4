import { listOwnTasks, signTask } from '../contract/task-calls.ts'
import { menu } from '../module.ts'
import { OtherPhones } from './other-phones.tsx'
import { WorkPhone, type PhoneCalls } from './work-phone.tsx'

const calls: PhoneCalls = {
  taskPath: 'Task',
  noun: '',
  listOwn: listOwnTasks,
  sign: signTask,
  permissions: menu.plan.permissions,
}

/** 我的任务: today's and tomorrow's tasks on the phone of the person who does them. */
export default function OwnTasksPage() {
  return <WorkPhone calls={calls} title="我的任务" links={<OtherPhones />} />
}
