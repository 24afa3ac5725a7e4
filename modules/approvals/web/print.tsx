import { labelOf } from '#kit/contract/field.ts'
import { useAddressedRecord } from '#kit/web/addressed-record.tsx'
import { useFileUrls } from '#kit/web/file-store.ts'
import { SignedInOnly } from '#kit/web/phone/signed-in-only.tsx'
import { approvalKind, taskState } from '../contract/choices.ts'
import { getInstance, type InstanceDetail } from '../contract/instance.ts'
import { stateTextOf } from './instance-status.tsx'
import './print.css'

type Task = InstanceDetail['tasks'][number]

/** A decision with the name, and the signature of its day where one was drawn. */
function DecisionRow({ task, hasRounds }: { readonly task: Task; readonly hasRounds: boolean }) {
  const [url] = useFileUrls(task.signature ? [task.signature] : [])
  return (
    <tr>
      <td>
        {task.nodeName}
        {hasRounds && `（第 ${task.round} 次提交）`}
      </td>
      <td>{labelOf(taskState, task.state)}</td>
      <td>{task.opinion}</td>
      <td>
        {task.approverName ?? '系统'}
        {task.principalName && `（代${task.principalName}）`}
        {url && <img src={url} alt={`${task.approverName ?? ''}签名`} />}
      </td>
      <td>{task.handleTime?.slice(0, 16)}</td>
    </tr>
  )
}

function PrintedInstance({ instance }: { readonly instance: InstanceDetail }) {
  const decided = instance.tasks.filter(task => ['approved', 'refused', 'passed'].includes(task.state))
  const facts: readonly (readonly [label: string, value: string | undefined])[] = [
    ['编号', instance.instanceNo],
    ['业务', labelOf(approvalKind, instance.bizType)],
    ['申请人', instance.applicantName],
    ['部门', instance.departmentName],
    ['申请时间', instance.applyTime.slice(0, 16)],
    ['结果', stateTextOf(instance)],
  ]
  return (
    <main className="approval-print">
      <button type="button" onClick={() => window.print()}>
        打印
      </button>
      <h1>{instance.title}</h1>
      <dl>
        {[...facts, ...instance.formLines.map(line => [line.label, line.value] as const)].map(
          ([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value ?? ''}</dd>
            </div>
          ),
        )}
      </dl>
      <table>
        <thead>
          <tr>
            {['节点', '结果', '意见', '签名', '时间'].map(title => (
              <th key={title}>{title}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {decided.map(task => (
            <DecisionRow key={task.id} task={task} hasRounds={instance.round > 1} />
          ))}
        </tbody>
      </table>
    </main>
  )
}

function AddressedPrint() {
  const { record, placeholder } = useAddressedRecord(getInstance, { tabTitle: instance => instance.title })
  return record ? <PrintedInstance instance={record} /> : placeholder
}

/** 审批单: the request on A4, with who decided and their signatures. */
export default function InstancePrintPage() {
  return (
    <SignedInOnly>
      <AddressedPrint />
    </SignedInOnly>
  )
}
