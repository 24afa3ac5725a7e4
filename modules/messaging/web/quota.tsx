import { Button } from 'antd'
import { useState } from 'react'
import { CrudList } from '#kit/web/crud/crud-list.tsx'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { toast } from '#kit/web/toast.ts'
import { exportLedger, getUsableSms, saveSmsWarning, smsLedgers } from '../contract/quota.ts'
import { menu } from '../module.ts'
import { Usable } from './usable.tsx'

const { model } = crudPages(smsLedgers, {
  unit: '条额度明细',
  export: exportLedger,
  columns: [
    { key: 'createTime', title: '时间', width: 150, identity: true },
    { key: 'changeType', width: 90 },
    'qty',
    'usableQty',
    'frozenQty',
    { key: 'source', grow: 1 },
    { key: 'refNo', grow: 1, hidePriority: 1 },
    { key: 'operatorName', hidePriority: 2 },
  ],
  drawer: false,
})

const groups = [{ keys: [{ key: 'warnCount', help: '余量不多于此数时，在短信管理中提示' }] }]

function WarningDialog({ warnCount, onClose }: { readonly warnCount: number; readonly onClose: () => void }) {
  const sending = useSend(saveSmsWarning, { quiet: true })
  return (
    <EditDialog
      shape={saveSmsWarning.input}
      title="短信余量预警"
      groups={groups}
      initial={{ warnCount }}
      draftKey={undefined}
      presentation="dialog"
      save={values => sending.mutateAsync(values)}
      onClose={onClose}
      onDone={() => {
        toast.success('已保存')
        onClose()
      }}
    />
  )
}

/** 短信额度: what was bought, used and set aside, and every change of it. */
export function Quota() {
  const hasPermission = usePermission()
  const [isOpen, setOpen] = useState(false)
  const { data } = useCall(getUsableSms, undefined, { quiet: true, project: 0, staleMs: 0 })
  return (
    <>
      <Usable />
      {data && (
        <p className="sms-usable">
          累计 {formatCount(data.totalCount)} 条，已用 {formatCount(data.usedCount)} 条，预警值{' '}
          {formatCount(data.warnCount)} 条{' '}
          {hasPermission(menu.quota.permissions.warn) && (
            <Button size="small" onClick={() => setOpen(true)}>
              修改预警值
            </Button>
          )}
        </p>
      )}
      <CrudList
        model={model}
        list={{
          embedded: true,
          pageSize: 15,
          barFilters: ['changeType', 'createTime'],
          settingsKey: 'messaging/ledger',
        }}
      />
      {isOpen && data && <WarningDialog warnCount={data.warnCount} onClose={() => setOpen(false)} />}
    </>
  )
}
