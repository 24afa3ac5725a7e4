import { TaskList } from './task-list.tsx'

/** 任务: everything that plans ask for, with how far it has come. */
export default function TasksPage() {
  return <TaskList />
}
