import { useState } from 'react'
import { useNavigate } from 'react-router'
import { keysOf, labelOf } from '#kit/contract/field.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { listOwnInstances, ownView } from '../contract/instance.ts'
import { paths } from '../module.ts'
import { instanceColumns } from './instance-list.tsx'

const SignatureDialog = lazyComponent(() => import('./signature-dialog.tsx').then(m => m.SignatureDialog))
const DelegateDialog = lazyComponent(() => import('./delegates.tsx').then(m => m.DelegateDialog))

const views = keysOf(ownView).map(key => ({
  id: key === 'waiting' ? '' : key,
  name: labelOf(ownView, key),
  filter: { view: key },
}))

/** 我的审批: what waits for me, what I asked for, what I decided, what I was sent. */
export default function OwnPage() {
  const navigate = useNavigate()
  const [isDelegating, setDelegating] = useState(false)
  const [isSigning, setSigning] = useState(false)
  return (
    <>
      <ListPage
        list={listOwnInstances}
        itemName="审批"
        columns={instanceColumns}
        views={views}
        filters={['bizType', 'state', 'applyTime']}
        barFilters={['bizType', 'state']}
        primaryAction={{ label: '发起审批', run: () => void navigate(paths.request) }}
        toolbarActions={[
          { label: '审批委托', run: () => setDelegating(true) },
          { label: '我的签名', run: () => setSigning(true) },
          { label: '手机审批', run: () => void window.open(paths.phone, '_blank') },
        ]}
        rowActions={instance => [
          { label: '详情', run: () => void navigate(`${paths.detail}?id=${instance.id}`) },
        ]}
      />
      {isSigning && <SignatureDialog onClose={() => setSigning(false)} />}
      {isDelegating && <DelegateDialog onClose={() => setDelegating(false)} />}
    </>
  )
}
