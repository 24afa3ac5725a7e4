import { useAddressedRecord } from '#kit/web/addressed-record.tsx'
import { Button, Steps } from 'antd'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { asDay } from '#kit/domain/day.ts'
import { recordPath } from '#kit/contract/crud-screens.ts'
import { today } from '#kit/web/date-format.ts'
import { FormFields } from '#kit/web/form/form-fields.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { Status } from '#kit/web/status.tsx'
import { useTab } from '#kit/web/tab.ts'
import { moveOutCompany, companies, type Company } from '../contract/company.ts'
import { paths } from '../module.ts'
import type { MoveOutRequest, MoveOutResult } from './move-out-review.tsx'
import './companies.css'

const ReviewStep = lazyComponent(() => import('./move-out-review.tsx').then(m => m.ReviewStep))

const groups = [{ keys: ['outDate', { key: 'reason', help: '2–200 个字，会记在企业和房间的变更中' }] }]
const fieldKeys = ['outDate', 'reason']
const stepItems = ['日期与原因', '核对', '完成'].map(title => ({ title }))

interface RequestStepProps {
  readonly request: MoveOutRequest | undefined
  readonly onNext: (request: MoveOutRequest) => void
  readonly onCancel: () => void
}

function RequestStep({ request, onNext, onCancel }: RequestStepProps) {
  const initial = useMemo(() => ({ outDate: today(), ...request }), [])
  const form = useForm({ shape: moveOutCompany.input, keys: fieldKeys, initial })
  const next = (): void => {
    if (form.validate()) {
      const { outDate, reason } = form.readValues()
      onNext({ outDate: asDay(String(outDate)), reason: String(reason) })
    }
  }
  return (
    <div
      ref={form.root}
      className="move-out-ask"
      role="presentation"
      onKeyDown={e => {
        if (e.key === 'Enter' && (e.ctrlKey || e.metaKey) && !e.nativeEvent.isComposing) {
          e.preventDefault()
          next()
        }
      }}
    >
      <FormFields
        form={form}
        fields={moveOutCompany.input.fields}
        groups={groups}
        name="move-out"
        columns={1}
      />
      <footer>
        <Button type="primary" onClick={next}>
          下一步
        </Button>
        <Button onClick={onCancel}>取消</Button>
      </footer>
    </div>
  )
}

interface CompletedProps {
  readonly company: Company
  readonly outDate: string | undefined
  /** Undefined where the company had moved out before. */
  readonly result: MoveOutResult | undefined
}

/** The company has moved out, now or before. */
function Completed({ company: { id, name }, outDate, result }: CompletedProps) {
  const navigate = useNavigate()
  const tab = useTab()
  const leaveFor = (path: string): void => {
    tab.close()
    void navigate(path)
  }
  return (
    <div className="move-out-done" {...(result ? { role: 'status' } : {})}>
      {result ? (
        <>
          <Status tone="done">已迁出</Status>
          <p>
            「{name}」已于 {outDate} 迁出：{formatCount(result.rooms)} 个房间已退还，
            {formatCount(result.workers)} 名员工已离职
          </p>
        </>
      ) : (
        <p>
          「{name}」已于 {outDate} 迁出，无需重复办理
        </p>
      )}
      <footer>
        <Button type="primary" onClick={() => leaveFor(recordPath(paths.detail, id))}>
          查看企业
        </Button>
        {result && <Button onClick={() => leaveFor(paths.list)}>返回企业管理</Button>}
      </footer>
    </div>
  )
}

function MoveOutWizard({ company }: { readonly company: Company }) {
  const tab = useTab()
  const [request, setRequest] = useState<MoveOutRequest>()
  const [isReviewing, setIsReviewing] = useState(false)
  const [result, setResult] = useState<MoveOutResult>()
  const drawStep = () => {
    if (result) return <Completed company={company} outDate={request?.outDate} result={result} />
    if (company.state === 'movedOut')
      return <Completed company={company} outDate={company.outDate} result={undefined} />
    if (request && isReviewing)
      return (
        <ReviewStep
          company={company}
          request={request}
          onBack={() => setIsReviewing(false)}
          onDone={setResult}
        />
      )
    return (
      <RequestStep
        request={request}
        onNext={next => {
          setRequest(next)
          setIsReviewing(true)
        }}
        onCancel={() => tab.close()}
      />
    )
  }
  return (
    <div className="move-out">
      <header>
        <h2 className="ellipsis" title={company.name}>
          企业迁出「{company.name}」
        </h2>
      </header>
      <div className="scroll">
        <Steps size="small" current={result ? 2 : isReviewing ? 1 : 0} items={stepItems} />
        {drawStep()}
      </div>
    </div>
  )
}

/** 企业迁出 as a wizard: when and why, what it will do room by room, done (BASE-16). */
export default function MoveOutPage() {
  const { record: company, placeholder } = useAddressedRecord(companies.get, {
    tabTitle: c => `迁出 ${c.name}`,
    rows: 6,
    staleMs: 0,
  })
  return company ? <MoveOutWizard company={company} /> : placeholder
}
