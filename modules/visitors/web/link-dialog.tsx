import { Modal, Segmented } from 'antd'
import { useState } from 'react'
import { RefSelect } from '#kit/web/controls/ref-select.tsx'
import { Loaded } from '#kit/web/loaded.tsx'
import { useCall } from '#kit/web/query.ts'
import { PersonLinkCards } from '#modules/access/web/public.person-links.tsx'
import { parseId } from '#kit/domain/id.ts'
import { listHostLinks } from '../contract/invitations.ts'
import './visitors.css'

type Links = NonNullable<typeof listHostLinks.output.T>

const FoundLinks = ({ links, onChanged }: { readonly links: Links; readonly onChanged: () => unknown }) =>
  links.length === 0 ? (
    <p role="status">所选人员在本项目没有在住的房屋或在职的企业，请重新选择</p>
  ) : (
    <PersonLinkCards
      links={links}
      linkName="邀访链接"
      copiedText="已复制链接，可发给本人"
      onChanged={onChanged}
    />
  )

const kinds = [
  { value: 'userId', label: '住户' },
  { value: 'workerId', label: '企业员工' },
] as const

/** The link under which one resident or worker invites visitors from their own telephone. */
export function LinkDialog({
  projectCode,
  onClose,
}: {
  readonly projectCode: string | undefined
  readonly onClose: () => void
}) {
  const [kind, setKind] = useState<(typeof kinds)[number]['value']>('userId')
  const [id, setId] = useState<string>()
  const chosen = kind === 'userId' ? { userId: parseId(id) } : { workerId: parseId(id) }
  const links = useCall(
    listHostLinks,
    { projectCode: projectCode ?? '', ...chosen },
    { quiet: true, enabled: id !== undefined && projectCode !== undefined, staleMs: 0 },
  )
  const field = listHostLinks.input.fields[kind]
  return (
    <Modal open title="邀访链接" width={560} footer={null} onCancel={onClose}>
      <div className="visit-links">
        {projectCode === undefined || !field ? (
          <p role="status">请先在页面上方选择一个项目</p>
        ) : (
          <>
            <p>住户、企业员工用手机打开自己的链接邀请访客；迁出、离职后链接随之失效。</p>
            <div>
              <Segmented
                aria-label="邀请方"
                options={[...kinds]}
                value={kind}
                onChange={picked => {
                  setKind(picked)
                  setId(undefined)
                }}
              />
              <RefSelect
                key={kind}
                named
                field={field}
                value={id}
                formValues={{ projectCode }}
                onChange={picked => setId(picked === undefined ? undefined : String(picked))}
              />
            </div>
            {id !== undefined && (
              <Loaded query={links} height={140} rows={3}>
                {found => <FoundLinks links={found} onChanged={links.refetch} />}
              </Loaded>
            )}
          </>
        )}
      </div>
    </Modal>
  )
}
