import { ChoiceStatus } from '#kit/web/status.tsx'
import { taskState } from '../contract/choices.ts'
import type { WorkTask } from '../contract/task.ts'

export const isOver = ({ state }: WorkTask): boolean => state !== 'waiting' && state !== 'running'

interface TaskRowProps {
  readonly task: WorkTask
  readonly waitingCount: number
  readonly onOpen: () => void
}

/** One task of the person; its score once it is over, until then how far it is. */
export const TaskRow = ({ task, waitingCount, onOpen }: TaskRowProps) => (
  <li>
    <button type="button" onClick={onOpen}>
      <b>{task.targetName ?? task.planName}</b>
      {waitingCount ? (
        <span className="todo">{waitingCount} 项待上传</span>
      ) : (
        <ChoiceStatus choices={taskState} value={task.state} />
      )}
      <small>
        {task.beginTime.slice(5, 16)}–{task.endTime.slice(11, 16)} {task.targetName && task.planName}
      </small>
      <span>
        {isOver(task) && task.score !== undefined
          ? `得分 ${task.score}`
          : `${task.stepDone} / ${task.stepTotal}`}
      </span>
    </button>
  </li>
)
