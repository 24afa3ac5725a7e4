import { parseId } from '#kit/domain/id.ts'
import { useParams } from 'react-router'
import { DetailPage } from '#kit/web/detail/detail-page.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { recordState } from '../contract/choices.ts'
import { getRecord } from '../contract/record.ts'
import { RecordDetails, recordGroups } from './record-sections.tsx'
import { useRecordActions } from './record-actions.tsx'

/** 收款详情: one payment as a page of its own. */
export default function RecordDetailPage() {
  const { id } = useParams()
  const { rowActions, dialogs } = useRecordActions()
  return (
    <DetailPage
      loadCall={getRecord}
      id={parseId(id)}
      title={r => `${r.receiptNo ?? r.recordNo} ${r.sourceName}`}
      status={r => <ChoiceStatus choices={recordState} value={r.state} />}
      groups={recordGroups}
      historyEntity="payRecord"
      actions={rowActions}
      afterGroups={r => <RecordDetails of={r} details={r.details} />}
      footer={dialogs}
    />
  )
}
