import { useParams } from 'react-router'
import { DetailPage } from '#kit/web/detail/detail-page.tsx'
import { Choice } from '#kit/web/status.tsx'
import { recordState } from '../contract/choices.ts'
import { oneRecord, type PayDetail, type PayRecord } from '../contract/record.ts'
import { RecordMore, recordGroups } from './record-body.tsx'
import { useRecordVerbs } from './record-verbs.tsx'

/** 收款详情: one payment as a page of its own. */
export default function RecordDetailPage() {
  const { id } = useParams()
  const { verbs, dialogs } = useRecordVerbs()
  return (
    <DetailPage
      one={oneRecord as never}
      id={Number(id) || 0}
      title={(r: PayRecord) => `${r.receiptNo ?? r.recordNo} ${r.sourceName}`}
      status={r => <Choice of={recordState} value={r.state} />}
      groups={recordGroups}
      history="payRecord"
      verbs={verbs}
      more={r => <RecordMore of={r} details={(r as PayRecord & { details: readonly PayDetail[] }).details} />}
      below={dialogs}
    />
  )
}
