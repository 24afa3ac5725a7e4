import { Button, Checkbox, Select } from 'antd'
import { AppstoreOutlined, ArrowLeftOutlined, DeleteOutlined, UnorderedListOutlined } from '@ant-design/icons'
import { useNavigate } from 'react-router'
import type { Id } from '#kit/domain/id.ts'
import { toast } from '#kit/web/toast.ts'
import type { FolderTreeNode } from '../contract/node.ts'
import { paths } from '../module.ts'
import { rootName } from './folder-path.ts'
import { QuotaBar, useUsage } from './quota-bar.tsx'
import type { NodeSelection } from './use-node-selection.ts'

export type FileLayout = 'grid' | 'list'

const orders = [
  { value: 'name', label: '按名称' },
  { value: '-name', label: '按名称倒序' },
  { value: '-updateTime', label: '最近修改在前' },
  { value: 'updateTime', label: '最早修改在前' },
  { value: '-fileSize', label: '从大到小' },
  { value: 'fileSize', label: '从小到大' },
]

interface FileBandProps {
  readonly projectCode: string
  readonly path: readonly FolderTreeNode[]
  /** What is searched for, instead of the folder. */
  readonly found: string
  readonly total: number | undefined
  readonly rowCount: number
  readonly selection: NodeSelection
  readonly order: string
  readonly layout: FileLayout
  readonly onFolder: (id: Id) => void
  readonly onEndSearch: () => void
  readonly onOrder: (order: string) => void
  readonly onLayout: (layout: FileLayout) => void
}

function Breadcrumb({ path, found, onFolder, onEndSearch }: FileBandProps) {
  if (found)
    return (
      <nav className="file-crumbs" aria-label="当前位置">
        <span className="ellipsis">{found}</span>
        <button type="button" className="linkish" onClick={onEndSearch}>
          返回文件夹
        </button>
      </nav>
    )
  const goUp = (): void => {
    if (path.length) {
      onFolder(path.at(-2)?.id ?? 0)
    } else {
      toast.info('已是最上层文件夹')
    }
  }
  const folders = [{ id: 0 as const, name: rootName }, ...path]
  return (
    <nav className="file-crumbs" aria-label="当前位置">
      <button type="button" className="linkish" onClick={goUp}>
        <ArrowLeftOutlined /> 返回上一级
      </button>
      <ol>
        {folders.map((folder, index) => (
          <li key={folder.id}>
            {index < folders.length - 1 ? (
              <button
                type="button"
                className="linkish ellipsis"
                title={folder.name}
                onClick={() => onFolder(folder.id)}
              >
                {folder.name}
              </button>
            ) : (
              <span className="ellipsis" aria-current="location" title={folder.name}>
                {folder.name}
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}

function BinButton({ projectCode }: Pick<FileBandProps, 'projectCode'>) {
  const navigate = useNavigate()
  const { data } = useUsage(projectCode)
  return (
    <Button
      size="small"
      icon={<DeleteOutlined />}
      aria-label={`回收站，${data?.binCount ?? 0} 项`}
      onClick={() => void navigate(paths.bin)}
    >
      回收站 <b className="figure file-bin-count">{data?.binCount ?? ''}</b>
    </Button>
  )
}

const layouts = [
  { layout: 'grid', label: '平铺', Drawing: AppstoreOutlined },
  { layout: 'list', label: '列表', Drawing: UnorderedListOutlined },
] as const

function LayoutSwitch({ layout: current, onLayout }: Pick<FileBandProps, 'layout' | 'onLayout'>) {
  return (
    <span className="file-layouts" role="group" aria-label="显示方式">
      {layouts.map(({ layout, label, Drawing }) => (
        <button
          key={layout}
          type="button"
          className="plain"
          aria-label={label}
          title={label}
          aria-pressed={layout === current}
          onClick={() => onLayout(layout)}
        >
          <Drawing />
        </button>
      ))}
    </span>
  )
}

/** Where one is, how much there is and how it is shown. */
export function FileBand(props: FileBandProps) {
  const { selection, rowCount, total } = props
  const count = selection.nodes.length
  return (
    <div className="file-band">
      <Checkbox
        checked={rowCount > 0 && count === rowCount}
        indeterminate={count > 0 && count < rowCount}
        disabled={!rowCount}
        onChange={event => (event.target.checked ? selection.all() : selection.clear())}
      >
        全选
      </Checkbox>
      <Breadcrumb {...props} />
      <span className="file-count figure" role="status">
        {total === undefined ? '' : `共 ${total} 项`}
        {count > 0 && `，已选 ${count} 项`}
      </span>
      <span className="spring" />
      <QuotaBar projectCode={props.projectCode} />
      <BinButton projectCode={props.projectCode} />
      <Select
        size="small"
        className="file-order"
        aria-label="排序"
        value={props.order}
        options={orders}
        onChange={props.onOrder}
      />
      <LayoutSwitch {...props} />
    </div>
  )
}
