import { Fragment, useState } from 'react'
import { Link } from 'react-router'
import { labelOf } from '#kit/contract/field.ts'
import { StoredImages } from '#kit/web/stored-images.tsx'
import { approvalKind, taskState } from '../contract/choices.ts'
import type { InstanceDetail } from '../contract/instance.ts'
import { paths } from '../module.ts'
import { stateTextOf } from './instance-status.tsx'
import { PlannedNodes } from './planned-nodes.tsx'
import './approvals.css'

/** What sending in again means where the content is fixed. */
export const unchangedText = '按原内容重新提交，从第一个节点开始审批；内容有误的，请放弃后重新申请'

type Lines = InstanceDetail['formLines']
type Task = InstanceDetail['tasks'][number]

export const FormLines = ({ lines }: { readonly lines: Lines }) => (
  <dl className="approval-lines">
    {lines.map(({ label, value, files }) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{files?.length ? <StoredImages fileKeys={files} size={56} /> : value}</dd>
      </div>
    ))}
  </dl>
)

/** The form as it was each time that it was sent in (APR-7). */
function EarlierForms({ forms }: { readonly forms: InstanceDetail['forms'] }) {
  const [round, setRound] = useState(0)
  const shown = forms.find(form => form.round === round)
  if (forms.length < 2) return null
  return (
    <div className="approval-rounds">
      {forms.map(form => (
        <button
          key={form.round}
          type="button"
          className="plain"
          aria-pressed={form.round === round}
          onClick={() => setRound(form.round === round ? 0 : form.round)}
        >
          第 {form.round} 次提交 {form.sendTime.slice(0, 16)}
        </button>
      ))}
      {shown && <FormLines lines={shown.formLines} />}
    </div>
  )
}

const personOf = ({ approverName, principalName, addedBy }: Task): string =>
  [approverName ?? '系统', principalName ? `（代${principalName}）` : '', addedBy ? '（加签）' : ''].join('')

const timeOf = ({ handleTime, startTime, state }: Task): string =>
  state === 'waiting' ? `${startTime.slice(0, 16)} 到达` : (handleTime ?? startTime).slice(0, 16)

const TaskLine = ({ task }: { readonly task: Task }) => (
  <li className={task.state}>
    <b>{personOf(task)}</b>
    <span>
      {task.nodeName} · {labelOf(taskState, task.state)} · {timeOf(task)}
    </span>
    {task.opinion && <p>{task.opinion}</p>}
    {task.attachments && task.attachments.length > 0 && (
      <StoredImages fileKeys={task.attachments} size={56} />
    )}
  </li>
)

/** A round begins with the form that was sent in. */
const SentLine = ({ instance, round }: { readonly instance: InstanceDetail; readonly round: number }) => {
  const form = instance.forms.find(each => each.round === round)
  return (
    <li className="approved">
      <b>{form?.senderName ?? instance.applicantName}</b>
      <span>
        {round === 1 ? '发起申请' : `第 ${round} 次提交`} ·{' '}
        {(form?.sendTime ?? instance.applyTime).slice(0, 16)}
      </span>
    </li>
  )
}

const returnedTextOf = ({ actions, amendLink }: InstanceDetail): string => {
  if (!actions.includes('resubmit')) return '已退回，待申请人处理'
  return amendLink === undefined ? '已退回，内容不能修改；可重新提交或放弃' : '已退回，待修改后重新提交'
}

/** What has happened and what is to come, from the request on, round by round. */
export function Timeline({ instance }: { readonly instance: InstanceDetail }) {
  const { tasks, nextNodes, applicantName, isReturned } = instance
  const rounds = Array.from({ length: Math.max(1, instance.round) }, (_, i) => i + 1)
  return (
    <>
      <ol className="approval-flow">
        {rounds.map(round => (
          <Fragment key={round}>
            <SentLine instance={instance} round={round} />
            {tasks
              .filter(task => task.round === round)
              .map(task => (
                <TaskLine key={task.id} task={task} />
              ))}
          </Fragment>
        ))}
        {isReturned && (
          <li className="waiting">
            <b>{applicantName}</b>
            <span>{returnedTextOf(instance)}</span>
          </li>
        )}
      </ol>
      {nextNodes.length > 0 && (
        <>
          <h3>{isReturned ? '重新提交后的节点' : '之后的节点'}</h3>
          <PlannedNodes nodes={nextNodes} />
        </>
      )}
    </>
  )
}

interface EarlierProps {
  readonly instance: Pick<InstanceDetail, 'earlier'>
  readonly page: string
}

/** Requests of the same record that ended before it was asked for again. */
export const EarlierRequests = ({ instance: { earlier }, page }: EarlierProps) =>
  earlier.length > 0 && (
    <p>
      此前的审批：
      {earlier.map(each => (
        <span key={each.id}>
          <Link to={`${page}?id=${each.id}`}>{each.instanceNo}</Link> {stateTextOf(each)} ·{' '}
          {each.applyTime.slice(0, 16)}　
        </span>
      ))}
    </p>
  )

const Comments = ({ comments }: { readonly comments: InstanceDetail['comments'] }) => (
  <section className="approval-section" aria-label="评论">
    <h3>评论</h3>
    <ol className="approval-flow">
      {comments.map(comment => (
        <li key={comment.id}>
          <b>{comment.authorName}</b>
          <span>{comment.commentTime.slice(0, 16)}</span>
          <p>{comment.content}</p>
          {comment.attachments && comment.attachments.length > 0 && (
            <StoredImages fileKeys={comment.attachments} size={56} />
          )}
        </li>
      ))}
    </ol>
  </section>
)

/** A request: its form, its course, its comments. */
export const InstanceContent = ({
  instance,
  page = paths.detail,
}: {
  readonly instance: InstanceDetail
  /** The page on which requests open. */
  readonly page?: string
}) => (
  <>
    <section className="approval-section" aria-label="申请内容">
      <h3>
        {labelOf(approvalKind, instance.bizType)} · {instance.instanceNo}
      </h3>
      <FormLines lines={instance.formLines} />
      <EarlierForms forms={instance.forms} />
    </section>
    <section className="approval-section" aria-label="审批过程">
      <h3>审批过程</h3>
      <Timeline instance={instance} />
      {instance.endReason && <p>结束说明：{instance.endReason}</p>}
      <EarlierRequests instance={instance} page={page} />
    </section>
    {instance.comments.length > 0 && <Comments comments={instance.comments} />}
    {instance.copiedTo.length > 0 && (
      <section className="approval-section" aria-label="抄送">
        <h3>抄送</h3>
        <p>{instance.copiedTo.join('、')}</p>
      </section>
    )}
  </>
)
