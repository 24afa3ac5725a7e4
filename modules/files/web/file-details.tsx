import { Icon } from '#kit/web/icons.tsx'
import { Loaded } from '#kit/web/loaded.tsx'
import { BlankValue } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { getNode } from '../contract/node.ts'
import { listShares } from '../contract/transfer.ts'
import { formatFileSize } from '#kit/contract/text.ts'
import { menu } from '../module.ts'
import { LabelEditor } from './label-editor.tsx'
import { kindOfNode, NodeIcon } from './node-icon.tsx'
import type { FileNode } from './node.ts'
import { filePushers } from './public.actions.ts'
import { ShareList } from './share-list.tsx'

/** Read in groups of four. */
const checksum = (sha256: string): string => (sha256.slice(0, 16).match(/.{4}/g) ?? []).join(' ')

const linesOf = (node: FileNode): readonly (readonly [string, string | undefined])[] => [
  ['大小', formatFileSize(node.fileSize)],
  ...(node.type === 'folder' ? [['内容', `${node.itemCount ?? 0} 项`] as const] : []),
  ['所在位置', node.folderPath],
  ...(node.type === 'file' ? [['上传人', node.uploaderName] as const] : []),
  [node.type === 'file' ? '上传时间' : '创建时间', node.createTime],
  ['修改时间', node.updateTime],
  ...(node.type === 'file' ? [['校验码', node.sha256 && checksum(node.sha256)] as const] : []),
]

function Shares({ node }: { readonly node: FileNode }) {
  const shares = useCall(listShares, { projectCode: node.projectCode, id: node.id, type: node.type })
  if (!shares.data?.length) return null
  return (
    <section className="file-section">
      <h3>分享</h3>
      <ShareList shares={shares.data} />
    </section>
  )
}

function Pushes({ file }: { readonly file: FileNode }) {
  const hasPermission = usePermission()
  return filePushers
    .useAll()
    .filter(({ historyNeeds }) => hasPermission(historyNeeds))
    .map(({ History, historyNeeds }) => <History key={historyNeeds.key} file={file} />)
}

interface FileDetailsProps {
  readonly node: FileNode
  readonly canEdit: boolean
  readonly onLabel: (label: string) => void
  readonly onPreview: () => void
  readonly onClose: () => void
}

function Picture({ node, onPreview }: Pick<FileDetailsProps, 'node' | 'onPreview'>) {
  const isPicture = kindOfNode(node) === 'image' && node.preview
  return (
    <div className="file-picture">
      {isPicture ? (
        <button type="button" onClick={onPreview} aria-label={`预览「${node.name}」`}>
          <img src={node.preview} alt="" />
        </button>
      ) : (
        <NodeIcon node={node} />
      )}
      <strong>{node.name}</strong>
    </div>
  )
}

/** What is known of one folder or file. */
export function FileDetails({ node, canEdit, onLabel, onPreview, onClose }: FileDetailsProps) {
  const canShare = usePermission()(menu.file.permissions.share)
  const query = useCall(getNode, { id: node.id, type: node.type }, { keepPrevious: true })
  return (
    <aside className="file-details" aria-label="文件信息">
      <header>
        <h2>{node.type === 'folder' ? '文件夹信息' : '文件信息'}</h2>
        <button type="button" className="plain" aria-label="关闭文件信息" onClick={onClose}>
          <Icon name="close" size={16} />
        </button>
      </header>
      <div className="scroll">
        <Loaded query={query} height={320} rows={6} width={[200]} keepsAnswer>
          {found => (
            <>
              <Picture node={found} onPreview={onPreview} />
              <dl>
                {linesOf(found).map(([label, value]) => (
                  <div key={label}>
                    <dt>{label}</dt>
                    <dd>{value ?? <BlankValue />}</dd>
                  </div>
                ))}
              </dl>
              <LabelEditor node={found} canEdit={canEdit} onLabel={onLabel} />
              {canShare && <Shares node={found} />}
              {found.type === 'file' && <Pushes file={found} />}
            </>
          )}
        </Loaded>
      </div>
    </aside>
  )
}
