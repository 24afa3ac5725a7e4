import { useMemo, useState } from 'react'
import { useLocation } from 'react-router'
import { parseId } from '#kit/domain/id.ts'
import { readTexts } from '#kit/web/controls/read-value.ts'
import type { Control } from '#kit/web/controls/control-kinds.tsx'
import { FormPage } from '#kit/web/form/form-page.tsx'
import { ErrorState, RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { RecordFailure } from '#kit/web/record-failure.tsx'
import { send } from '#kit/web/send.ts'
import { useTab, useTabTitle } from '#kit/web/tab.ts'
import { toast } from '#kit/web/toast.ts'
import { PermissionGrid } from '#modules/accounts/web/public.ts'
import { addApiKey, editApiKey, getApiKey, listKeyPermissions, type ApiKey } from '../contract/api-key.ts'
import { trialCommand } from '../contract/trial-command.ts'
import { projectFields } from './projects-control.tsx'
import { SecretDialog } from '#kit/web/secret-dialog.tsx'

const Placeholder = () => (
  <div style={{ position: 'relative', height: 320 }}>
    <RowSkeleton rows={6} />
  </div>
)

const PermissionsControl: Control = props => {
  const tree = useCall(listKeyPermissions, undefined, { quiet: true, project: 0 })
  const value = useMemo(() => new Set(readTexts(props.value)), [props.value])
  if (tree.isPending) return <Placeholder />
  if (tree.isError) return <ErrorState error={tree.error} onRetry={() => void tree.refetch()} />
  return <PermissionGrid tree={tree.data} value={value} onChange={v => props.onChange([...v].toSorted())} />
}

const groups = [
  { title: '密钥', keys: ['name', 'expireDate', 'perMinute'] },
  {
    title: '数据范围',
    keys: [...projectFields, { key: 'showPrivacy' }],
  },
  {
    title: '权限',
    keys: [{ key: 'permissions', label: '菜单与操作', control: PermissionsControl }],
  },
]

/** A key of the company: a new one, which is then shown once, or a change that takes effect at once. */
export default function ApiKeyForm() {
  const { search } = useLocation()
  const id = parseId(new URLSearchParams(search).get('id'))
  const query = useCall(getApiKey, { id }, { enabled: id > 0, quiet: true, staleMs: 0 })
  if (id && query.isError) return <RecordFailure error={query.error} onRetry={() => void query.refetch()} />
  if (id && !query.data) return <Placeholder />
  return <KeyForm key={id} before={query.data} />
}

function KeyForm({ before }: { readonly before: ApiKey | undefined }) {
  const tab = useTab()
  const [made, setMade] = useState<{ name: string; secret: string }>()
  useTabTitle(before ? `编辑 ${before.name}` : '新增接口密钥')
  if (before)
    return (
      <FormPage
        shape={editApiKey.input}
        title={`编辑接口密钥「${before.name}」`}
        initial={before}
        groups={groups}
        draftKey={`apiKey/${before.id}`}
        save={values => sendAndInvalidate(editApiKey, values, { quiet: true })}
        loadCurrent={async () => await send(getApiKey, { id: before.id })}
        onDone={saved => {
          toast.success(`已保存「${saved.name}」，立即生效`)
          tab.close()
        }}
      />
    )
  return (
    <>
      <FormPage
        shape={addApiKey.input}
        title="新增接口密钥"
        submitLabel="新增接口密钥"
        groups={groups}
        draftKey="apiKey/new"
        save={values => sendAndInvalidate(addApiKey, values, { quiet: true })}
        onDone={setMade}
      />
      {made && (
        <SecretDialog
          title={`接口密钥「${made.name}」`}
          label="密钥"
          secret={made.secret}
          usage={trialCommand(location.origin, made.secret)}
          onClose={() => tab.close()}
        />
      )}
    </>
  )
}
