import { Button, Input, Select } from 'antd'
import { ScanOutlined } from '@ant-design/icons'
import { useId, useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { sendAndInvalidate, toastResult } from '#kit/web/record-actions.ts'
import { usePermission } from '#kit/web/session.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { StoredImages } from '#kit/web/stored-images.tsx'
import { checkCode } from '../contract/check.ts'
import { validResult, visitorKind } from '../contract/choices.ts'
import { pickLocations } from '../contract/location.ts'
import { leave } from '../contract/visit.ts'
import { menu } from '../module.ts'
import type { CheckedVisitor } from './check-in-dialog.tsx'

const QrScanner = lazyComponent(() => import('#kit/web/phone/qr-scanner.tsx').then(m => m.QrScanner))

type Answer = NonNullable<typeof checkCode.output.T>

const visitTimes = ({ beginTime, endTime }: Answer): string | undefined =>
  beginTime && endTime && `${beginTime.slice(5, 16)} 至 ${endTime.slice(5, 16)}`

const factsOf = (answer: Answer): readonly (readonly [string, string])[] =>
  (
    [
      ['手机', answer.mobile],
      ['证件号', answer.certNo],
      ['车牌', answer.plateNo],
      ['类别', answer.visitorKind && labelOf(visitorKind, answer.visitorKind)],
      ['被访人', answer.hostName],
      ['拜访', answer.roomPath],
      ['事由', answer.reasonOfVisit],
      ['人数', answer.personCount && `${answer.personCount} 人`],
      ['有效', visitTimes(answer)],
      ['次数', answer.maxTimes && `已进 ${answer.usedTimes} 次，可进 ${answer.maxTimes} 次`],
    ] as const
  ).flatMap(([label, value]) => (value ? [[label, String(value)] as const] : []))

interface AnswerProps {
  readonly answer: Answer
  readonly locationId: Id | undefined
  readonly onEnter: (visitor: CheckedVisitor) => void
  readonly onLeft: () => void
}

/** What the code is worth, whose it is, and what can be done now. */
function CodeAnswer({ answer, locationId, onEnter, onLeft }: AnswerProps) {
  const { recordId, visitorId, visitorName } = answer
  const goOut = async (): Promise<void> => {
    const result = await sendAndInvalidate(leave, { ids: [String(recordId)], locationId })
    toastResult(result, '已登记离开')
    onLeft()
  }
  const canEnter = answer.result === 'passed' && recordId === undefined && visitorId !== undefined
  return (
    <div className="visit-answer" role="status">
      <p>
        <ChoiceStatus choices={validResult} value={answer.result} />
        <strong>{visitorName}</strong>
        {recordId === undefined ? answer.reason : '在访'}
      </p>
      {answer.face !== undefined && <StoredImages fileKeys={[answer.face]} size={96} />}
      <dl>
        {factsOf(answer).map(([label, value]) => (
          <div key={label} style={{ display: 'contents' }}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className="buttons">
        {canEnter && (
          <Button
            type="primary"
            onClick={() =>
              onEnter({
                ...answer,
                id: visitorId,
                visitorName: visitorName ?? '',
                personCount: answer.codeCount,
              })
            }
          >
            登记进入
          </Button>
        )}
        {recordId !== undefined && (
          <Button type="primary" onClick={() => void goOut()}>
            登记离开
          </Button>
        )}
      </div>
    </div>
  )
}

interface LocationProps {
  readonly projectCode: string
  readonly value: Id | undefined
  readonly onChange: (id: Id | undefined) => void
}

/** Where this guard is: kept in the browser, and written into every record. */
function LocationSelect({ projectCode, value, onChange }: LocationProps) {
  const id = useId()
  const found = useCall(pickLocations, { projectCode, size: 100 }, { quiet: true }).data?.rows ?? []
  const used = found.filter(location => location.state === 'on')
  if (!used.length) return null
  return (
    <div className="wide">
      <label htmlFor={id}>当前门岗</label>
      <Select
        id={id}
        allowClear
        placeholder="请选择门岗"
        value={used.some(location => location.id === value) ? value : null}
        onChange={chosen => onChange(chosen ?? undefined)}
        options={used.map(location => ({ value: location.id, label: location.locationName }))}
      />
    </div>
  )
}

interface CodeCheckProps {
  readonly projectCode: string
  readonly locationId: Id | undefined
  readonly onLocation: (id: Id | undefined) => void
  readonly onEnter: (visitor: CheckedVisitor) => void
  readonly onWalkIn: () => void
}

/** The code is typed, read by a scanner that types, or scanned by the camera. */
export function CodeCheck({ projectCode, locationId, onLocation, onEnter, onWalkIn }: CodeCheckProps) {
  const inputId = useId()
  const hasPermission = usePermission()
  const [code, setCode] = useState('')
  const [isScanning, setScanning] = useState(false)
  const check = useSend(checkCode)
  const ask = (inviteNo: string): void => {
    setScanning(false)
    setCode(inviteNo)
    check.mutate({ projectCode, inviteNo, direction: 'in', ...(locationId ? { locationId } : {}) })
  }
  const clear = (): void => {
    setCode('')
    check.reset()
  }
  const typed = code.replace(/\s/g, '')
  return (
    <>
      <form
        onSubmit={event => {
          event.preventDefault()
          ask(typed)
        }}
      >
        <LocationSelect projectCode={projectCode} value={locationId} onChange={onLocation} />
        <label className="wide" htmlFor={inputId}>
          邀请码
        </label>
        <Input
          id={inputId}
          className="code"
          size="large"
          inputMode="numeric"
          autoComplete="off"
          maxLength={40}
          allowClear
          value={code}
          onChange={event => setCode(event.target.value)}
        />
        <Button size="large" type="primary" htmlType="submit" disabled={!typed} loading={check.isPending}>
          核验
        </Button>
        <Button size="large" icon={<ScanOutlined />} onClick={() => setScanning(true)}>
          扫码
        </Button>
        {hasPermission(menu.visit.permissions.add) && (
          <Button size="large" onClick={onWalkIn}>
            临时来访
          </Button>
        )}
      </form>
      {check.data && (
        <CodeAnswer
          answer={check.data}
          locationId={locationId}
          onEnter={visitor => {
            clear()
            onEnter(visitor)
          }}
          onLeft={clear}
        />
      )}
      {isScanning && <QrScanner title="扫描邀请码" onCode={ask} onClose={() => setScanning(false)} />}
    </>
  )
}
