import { Button, Modal } from 'antd'
import { useState } from 'react'
import type { Id } from '#kit/domain/id.ts'
import { Loaded } from '#kit/web/loaded.tsx'
import { useCall } from '#kit/web/query.ts'
import { listOwnLinks } from '../contract/own-access.ts'
import { PersonLinkCards } from './public.person-links.tsx'
import './access.css'

type Links = NonNullable<typeof listOwnLinks.output.T>

const LinkList = ({ links, onChanged }: { readonly links: Links; readonly onChanged: () => unknown }) =>
  links.length === 0 ? (
    <p role="status">该住户没有在住的房屋或在职的企业，不能使用手机开门</p>
  ) : (
    <PersonLinkCards
      links={links}
      linkName="通行链接"
      copiedText="已复制链接，只能发给本人"
      onChanged={onChanged}
    />
  )

export function LinksDialog({ userId, onClose }: { readonly userId: Id; readonly onClose: () => void }) {
  const links = useCall(listOwnLinks, { userId }, { quiet: true, staleMs: 0 })
  return (
    <Modal open title="通行链接" width={560} footer={null} onCancel={onClose}>
      <div className="access-links">
        <p>住户、企业员工用手机打开自己的链接，出示通行码或开门；迁出、离职后链接随之失效。</p>
        <Loaded query={links} height={140} rows={3}>
          {found => <LinkList links={found} onChanged={links.refetch} />}
        </Loaded>
      </div>
    </Modal>
  )
}

/** The page under which one resident opens doors from the own telephone. */
export function OwnLinksButton({ userId }: { readonly userId: Id }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="access-links-bar">
      <Button onClick={() => setOpen(true)}>通行链接</Button>
      {isOpen && <LinksDialog userId={userId} onClose={() => setOpen(false)} />}
    </div>
  )
}
