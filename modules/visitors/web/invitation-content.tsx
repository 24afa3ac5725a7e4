import { Button } from 'antd'
import { useState } from 'react'
import { copyText } from '#kit/web/copy-text.ts'
import type { DetailGroup } from '#kit/web/detail/detail-panel.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { Loaded } from '#kit/web/loaded.tsx'
import { useCall } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { approvalStage, decisionKind, visitState } from '../contract/choices.ts'
import type { Invitation } from '../contract/invitation.ts'
import { getInvitation, type InvitationDetail } from '../contract/invitations.ts'
import { menu } from '../module.ts'
import './visitors.css'

const InvitationDialog = lazyComponent(() => import('./invitation-dialog.tsx').then(m => m.InvitationDialog))

export const InvitationStatus = ({ row }: { readonly row: Invitation }) => (
  <ChoiceStatus choices={visitState} value={row.state} />
)

export const invitationGroups: readonly DetailGroup<Invitation>[] = [
  {
    title: '来访',
    keys: [
      'invitationNo',
      'estateName',
      'visitorKind',
      'personCount',
      'beginTime',
      'endTime',
      'hostPaysParking',
      'hostParkingLimit',
      { key: 'reason', wide: true },
    ],
  },
  { title: '被访', keys: ['hostType', 'hostName', 'companyName', 'roomPath', 'createName', 'createTime'] },
  {
    title: '审批',
    keys: ['ruleName', 'checkType', 'stage', 'maxTimes', 'arriveTime', 'leaveTime', 'rejectReason'],
  },
]

const minute = (moment: string): string => moment.slice(0, 16)

type Visitor = InvitationDetail['visitors'][number]

const copyLink = (url: string): Promise<void> =>
  copyText(`${location.origin}${url}`, {
    done: '已复制链接，可发给访客',
    refused: '浏览器不允许复制，请换用其他浏览器',
  })

interface VisitorActionsProps {
  readonly visitor: Visitor
  readonly onPicture: (visitor: Visitor) => void
}

const drawable: readonly Visitor['state'][] = ['passed', 'arrived', 'left']

/** What goes to the visitor: the link, and the picture of a visit that is allowed. */
function VisitorActions({ visitor, onPicture }: VisitorActionsProps) {
  const hasPermission = usePermission()
  const { url, state } = visitor
  return (
    <td>
      {url !== undefined && (
        <Button size="small" type="link" onClick={() => void copyLink(url)}>
          复制链接
        </Button>
      )}
      {hasPermission(menu.invitation.permissions.link) && drawable.includes(state) && (
        <Button size="small" type="link" onClick={() => onPicture(visitor)}>
          邀请函
        </Button>
      )}
    </td>
  )
}

interface VisitorLineProps extends VisitorActionsProps {
  readonly showsCodes: boolean
}

const VisitorLine = ({ visitor, showsCodes, onPicture }: VisitorLineProps) => (
  <tr>
    <td>{visitor.visitorName}</td>
    <td>{visitor.mobile ?? '--'}</td>
    <td>{visitor.plateNo ?? '--'}</td>
    {showsCodes && <td>{visitor.inviteNo ?? '待补资料'}</td>}
    <td>
      进 {visitor.usedTimes} 次，出 {visitor.exitTimes} 次，可进 {visitor.maxTimes} 次
    </td>
    <td>
      <ChoiceStatus choices={visitState} value={visitor.state} />
    </td>
    {showsCodes && <VisitorActions visitor={visitor} onPicture={onPicture} />}
  </tr>
)

/** Codes and links are there for those who pass them on or check them. */
function Visitors({ visitors }: Pick<InvitationDetail, 'visitors'>) {
  const [invited, setInvited] = useState<Visitor>()
  const showsCodes = visitors.some(({ url }) => url !== undefined)
  const titles = [
    '姓名',
    '手机',
    '车牌',
    ...(showsCodes ? ['邀请码'] : []),
    '通行次数',
    '状态',
    ...(showsCodes ? ['发给访客'] : []),
  ]
  return (
    <section aria-label="访客">
      <h3>访客</h3>
      <table>
        <thead>
          <tr>
            {titles.map(title => (
              <th key={title}>{title}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {visitors.map(visitor => (
            <VisitorLine key={visitor.id} visitor={visitor} showsCodes={showsCodes} onPicture={setInvited} />
          ))}
        </tbody>
      </table>
      {invited && (
        <InvitationDialog
          visitorId={invited.id}
          visitorName={invited.visitorName}
          onClose={() => setInvited(undefined)}
        />
      )}
    </section>
  )
}

const Answers = ({ answers }: { readonly answers: NonNullable<Invitation['answers']> }) => (
  <section aria-label="问题答案">
    <h3>问题答案</h3>
    <dl>
      {answers.map(({ label, answer }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{answer}</dd>
        </div>
      ))}
    </dl>
  </section>
)

const Decisions = ({ decisions }: { readonly decisions: NonNullable<Invitation['decisions']> }) => (
  <section aria-label="审批记录">
    <h3>审批记录</h3>
    <ul>
      {decisions.map(({ stage, decision, decider, decideTime, reason }) => (
        <li key={`${stage}${decideTime}`}>
          <ChoiceStatus choices={approvalStage} value={stage} />
          <ChoiceStatus choices={decisionKind} value={decision} />
          <span>{[decider, minute(decideTime), reason].filter(Boolean).join('，')}</span>
        </li>
      ))}
    </ul>
  </section>
)

/** The people of an invitation with their codes, what was answered, and whose consent it had. */
export function InvitationContent({ invitation }: { readonly invitation: Invitation }) {
  const detail = useCall(getInvitation, { id: invitation.id }, { quiet: true })
  return (
    <div className="visit-content">
      <Loaded query={detail} height={120} rows={3}>
        {({ visitors, answers = [], decisions = [] }) => (
          <>
            <Visitors visitors={visitors} />
            {answers.length > 0 && <Answers answers={answers} />}
            {decisions.length > 0 && <Decisions decisions={decisions} />}
          </>
        )}
      </Loaded>
    </div>
  )
}
