import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { labelOf } from '#kit/contract/field.ts'
import { useAddressedRecord } from '#kit/web/addressed-record.tsx'
import { SignedInOnly } from '#kit/web/phone/signed-in-only.tsx'
import { WaitingNotice } from '#kit/web/phone/waiting-notice.tsx'
import { useSend } from '#kit/web/query.ts'
import { useSession } from '#kit/web/session.ts'
import { findingResult, inspectionState, recheckResult } from '../contract/choices.ts'
import { passFindings, type InspectionFinding } from '../contract/finding.ts'
import {
  recheckInspection,
  roomInspections,
  startInspection,
  type RoomInspection,
} from '../contract/inspection.ts'
import { canDo, missingJudgements } from '../domain/inspection.ts'
import { applyJudgements, useJudgements } from './finding-queue.ts'
import { PhoneFinish } from './phone-finish.tsx'
import { PhoneItem } from './phone-item.tsx'
import { SheetList } from './phone-list.tsx'
import { isOfAnother } from './sheet-actions.ts'
import { SheetChecks } from './sheet-checks.tsx'
import { useFindings } from './sheet-findings.tsx'
import '#kit/web/phone/phone.css'
import './room-inspection.css'

/** 现场验房: the inspector's sheets on the phone, or one of them by its address. */
export default function InspectionPhonePage() {
  const [address, setAddress] = useSearchParams()
  return (
    <SignedInOnly>
      <div className="phone inspection-phone">
        {address.has('id') ? (
          <AddressedSheet />
        ) : (
          <SheetList onOpen={sheet => setAddress({ id: String(sheet.id) })} />
        )}
      </div>
    </SignedInOnly>
  )
}

function AddressedSheet() {
  const { record, placeholder } = useAddressedRecord(roomInspections.get, {
    tabTitle: sheet => sheet.sheetNo,
    staleMs: 0,
  })
  return record ? <SheetPage sheet={record} /> : placeholder
}

const Header = ({ sheet, title }: { readonly sheet: RoomInspection; readonly title: string }) => (
  <header>
    <div>
      <h1>{title}</h1>
      <small>{labelOf(inspectionState, sheet.state)}</small>
    </div>
    <small>
      {sheet.sheetNo} · {sheet.standardName}
    </small>
  </header>
)

/** A sheet that is not being checked: its state, and what can be started. */
function SheetStart({ sheet }: { readonly sheet: RoomInspection }) {
  const starting = useSend(startInspection, { quiet: true })
  const rechecking = useSend(recheckInspection, { quiet: true })
  const fault = starting.error ?? rechecking.error
  const takesOver = isOfAnother(
    sheet,
    useSession(s => s.signed?.manager.id),
  )
  return (
    <main>
      <dl className="facts">
        <div>
          <dt>查验人</dt>
          <dd>{sheet.inspectorName ?? '未指定'}</dd>
        </div>
        <div>
          <dt>计划日期</dt>
          <dd>{sheet.planDate ?? '未定'}</dd>
        </div>
        <div>
          <dt>问题</dt>
          <dd>{sheet.problemCount}</dd>
        </div>
        <div>
          <dt>未整改</dt>
          <dd>{sheet.openCount}</dd>
        </div>
      </dl>
      {canDo('start', sheet.state) && (
        <button
          type="button"
          className="big primary"
          disabled={starting.isPending}
          onClick={() => starting.mutate({ id: sheet.id, ...(takesOver ? { takesOver } : {}) })}
        >
          {takesOver ? `接手${sheet.inspectorName ?? '其他人'}的验房单` : '开始查验'}
        </button>
      )}
      {canDo('recheck', sheet.state) && (
        <button
          type="button"
          className="big primary"
          disabled={rechecking.isPending}
          onClick={() => rechecking.mutate({ id: sheet.id })}
        >
          复查
        </button>
      )}
      {fault && (
        <p className="fault" role="alert">
          {fault.message}
        </p>
      )}
      {sheet.startTime !== undefined && <SheetChecks inspectionId={sheet.id} />}
    </main>
  )
}

function describe(finding: InspectionFinding): readonly [text: string, tone: string] {
  if (finding.recheckResult)
    return [
      labelOf(recheckResult, finding.recheckResult),
      finding.recheckResult === 'passed' ? 'done' : 'bad',
    ]
  if (!finding.result) return ['未查验', '']
  return [labelOf(findingResult, finding.result), finding.result === 'problem' ? 'bad' : 'done']
}

interface PartProps {
  readonly part: string
  readonly findings: readonly InspectionFinding[]
  readonly onOpen: (finding: InspectionFinding) => void
  readonly onPass: () => void
}

const Part = ({ part, findings, onOpen, onPass }: PartProps) => (
  <section>
    <h2>
      {part}
      {findings.some(finding => !finding.result) && (
        <button type="button" className="big" aria-label={`${part}其余合格`} onClick={onPass}>
          其余合格
        </button>
      )}
    </h2>
    <ol>
      {findings.map(finding => {
        const [text, tone] = describe(finding)
        return (
          <li key={finding.id}>
            <button type="button" onClick={() => onOpen(finding)}>
              <b>{finding.itemName}</b>
              <span className={tone}>{text}</span>
              <small>
                {finding.problem ?? finding.method}
                {finding.photos?.length ? ` · ${finding.photos.length} 张照片` : ''}
              </small>
            </button>
          </li>
        )
      })}
    </ol>
  </section>
)

/** The items by part, one opened at a time; then the end of the inspection. */
function SheetPage({ sheet }: { readonly sheet: RoomInspection }) {
  const [openId, setOpenId] = useState<number>()
  const [isFinishing, setFinishing] = useState(false)
  const passing = useSend(passFindings)
  const { data, isError, refetch } = useFindings(sheet.id)
  const { waiting, judge, upload, drop } = useJudgements(sheet.id)
  const findings = applyJudgements(data?.rows ?? [], waiting)
  const refused = waiting.find(({ refusal }) => refusal !== undefined)
  const opened = findings.find(finding => finding.id === openId)
  const title = sheet.roomPath ?? sheet.sheetNo
  if (!canDo('inspect', sheet.state))
    return (
      <>
        <Header sheet={sheet} title={title} />
        <SheetStart sheet={sheet} />
      </>
    )
  if (opened)
    return (
      <>
        <Header sheet={sheet} title={opened.itemName} />
        <PhoneItem
          key={opened.id}
          finding={opened}
          isRecheck={sheet.recheckCount > 0}
          onJudge={judge}
          onDone={() => setOpenId(undefined)}
        />
      </>
    )
  if (isFinishing)
    return (
      <>
        <Header sheet={sheet} title={title} />
        <PhoneFinish sheet={sheet} onBack={() => setFinishing(false)} onDone={() => setFinishing(false)} />
      </>
    )
  const missing = waiting.length
    ? '上传完成后才能完成查验'
    : data
      ? missingJudgements(findings, sheet.recheckCount)
      : '正在加载…'
  return (
    <>
      <Header sheet={sheet} title={title} />
      <WaitingNotice count={waiting.length} unit="项查验结果" onSend={upload} />
      {refused && (
        <p className="fault" role="alert">
          「{findings.find(({ id }) => id === refused.findingId)?.itemName}」未通过：{refused.refusal}{' '}
          <button type="button" className="big" onClick={() => drop(refused)}>
            放弃该项
          </button>
        </p>
      )}
      {isError && (
        <p className="empty" role="alert">
          加载失败{' '}
          <button type="button" className="big" onClick={() => void refetch()}>
            重试
          </button>
        </p>
      )}
      <div className="parts">
        {[...Map.groupBy(findings, finding => finding.part)].map(([part, own]) => (
          <Part
            key={part}
            part={part}
            findings={own}
            onOpen={finding => setOpenId(finding.id)}
            onPass={() => passing.mutate({ inspectionId: sheet.id, part })}
          />
        ))}
      </div>
      <div className="foot single">
        {missing && <small role="status">{missing}</small>}
        <button
          type="button"
          className="big primary"
          disabled={missing !== undefined}
          onClick={() => setFinishing(true)}
        >
          完成查验
        </button>
      </div>
    </>
  )
}
