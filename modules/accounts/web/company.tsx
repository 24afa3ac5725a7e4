import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useState } from 'react'
import { Button } from 'antd'
import { DetailPanel } from '#kit/web/detail/detail-panel.tsx'
import { History } from '#kit/web/detail/history.tsx'
import { RowSkeleton, ErrorState } from '#kit/web/list/list-feedback.tsx'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { useCall } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { session, usePermission, signIn } from '#kit/web/session.ts'
import { toast } from '#kit/web/toast.ts'
import { editCompany, getMyCompany, property, type Property } from '../contract/company.ts'
import { menu } from '../module.ts'
import { CompanyExportSection } from './company-export.tsx'
import './accounts.css'

/** The company itself: what is on receipts and letters, its edition, what was changed. */
export default function Company() {
  const query = useCall(getMyCompany, undefined, { quiet: true, project: 0 })
  const hasPermission = usePermission()
  const [editing, setEditing] = useState(false)
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data)
    return (
      <div style={{ position: 'relative', height: 240 }}>
        <RowSkeleton rows={5} />
      </div>
    )
  const profile = query.data
  const done = (saved: Property): void => {
    setEditing(false)
    toast.success('已保存公司信息')
    void query.refetch()
    // The name is beside the account's in the bar.
    const now = session.getState().signed
    if (now) {
      signIn({
        ...now,
        manager: { ...now.manager, companyName: saved.companyName, idleMinutes: saved.idleMinutes },
      })
    }
  }
  return (
    <div className="sheet-page">
      <section>
        <h2>
          公司信息
          <span className="spring" />
          {hasPermission(menu.company.permissions.edit) && (
            <Button type="primary" onClick={() => setEditing(true)}>
              编辑
            </Button>
          )}
        </h2>
        <DetailPanel
          fields={property.fields}
          row={profile}
          groups={[
            {
              keys: [
                'companyName',
                'creditCode',
                'contactName',
                'contactPhone',
                'address',
                'logo',
                'edition',
                'state',
                'expireDate',
                'idleMinutes',
              ],
            },
          ]}
          entity="property"
        />
      </section>
      {hasPermission(menu.company.permissions.takeout) && <CompanyExportSection />}
      {hasPermission(menu.log.permissions.view) && (
        <section>
          <h2>变更</h2>
          <History entity="property" id={profile.id} />
        </section>
      )}
      {editing && (
        <EditDialog
          shape={editCompany.input}
          draftKey={draftKeyOf(editCompany, 'profile')}
          title="编辑公司信息"
          initial={profile}
          groups={[
            {
              keys: [
                'companyName',
                'creditCode',
                'contactName',
                'contactPhone',
                'address',
                'logo',
                'idleMinutes',
              ],
            },
          ]}
          save={v => sendAndInvalidate(editCompany, v, { quiet: true })}
          loadCurrent={async () => await send(getMyCompany, undefined)}
          onClose={() => setEditing(false)}
          onDone={done}
        />
      )}
    </div>
  )
}
