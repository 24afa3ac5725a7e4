import { Button, Modal, Segmented } from 'antd'
import { QrCode } from '#kit/web/qr-code.tsx'
import { useEffect, useState } from 'react'
import { list } from '#kit/contract/field.ts'
import { RefSelect } from '#kit/web/controls/ref-select.tsx'
import { useChosenProject } from '#kit/web/chosen-project.ts'
import { copyText } from '#kit/web/copy-text.ts'
import { Loaded } from '#kit/web/loaded.tsx'
import { Empty, Skeleton } from '#kit/web/page-feedback.tsx'
import { Paginator } from '#kit/web/paginator.tsx'
import { useCall } from '#kit/web/query.ts'
import { runAction } from '#kit/web/run-action.ts'
import { fetchFile, saveAs, type FetchedFile } from '#kit/web/send.ts'
import { listPlaceCodes, printPlaceCodes } from '../contract/resident.ts'
import './settings.css'

type Kind = NonNullable<typeof listPlaceCodes.input.T>['placeKind']

const kinds: { readonly value: Kind; readonly label: string }[] = [
  { value: 'room', label: '房屋' },
  { value: 'area', label: '公共区域' },
]
const buildingsField = { ...list('楼栋', { max: 200 }), target: 'building', targetBy: 'key' as const }
const sizes = [24, 48, 96]
/** The most that one sheet takes. */
const maxPrinted = 500

/** The sheet as it will be printed, with the browser's own printing. */
function SheetPreview({ file, onClose }: { readonly file: FetchedFile; readonly onClose: () => void }) {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const address = URL.createObjectURL(file.blob)
    setUrl(address)
    return () => URL.revokeObjectURL(address)
  }, [file])
  return (
    <Modal
      open
      title="报事二维码打印预览"
      width="min(1000px, 94vw)"
      onCancel={onClose}
      footer={<Button onClick={() => saveAs(file.blob, file.name)}>下载</Button>}
    >
      {url ? (
        // eslint-disable-next-line react/iframe-missing-sandbox -- browsers show no PDF inside a sandbox
        <iframe className="code-sheet" title="打印预览" src={url} />
      ) : (
        <Skeleton rows={6} />
      )}
    </Modal>
  )
}

/** 报事二维码: a code per room or public area by which residents report. */
export function PlaceCodes() {
  const project = useChosenProject()
  const [placeKind, setKind] = useState<Kind>('room')
  const [buildCodes, setBuildings] = useState<readonly string[]>([])
  const [page, setPage] = useState({ page: 1, size: 24 })
  const [sheet, setSheet] = useState<FetchedFile>()
  const [busy, setBusy] = useState(false)
  const input = { projectCode: project ?? '', placeKind, buildCodes }
  const places = useCall(
    listPlaceCodes,
    { ...input, ...page },
    { quiet: true, enabled: project !== undefined, keepPrevious: true },
  )
  if (!project) return <Empty text="请先在上方选择项目" />
  const total = places.data?.total ?? 0
  const print = async (): Promise<void> => {
    setBusy(true)
    await runAction(async () =>
      setSheet(await fetchFile(printPlaceCodes, { ...input, origin: location.origin })),
    )
    setBusy(false)
  }
  const printRefusal =
    total > maxPrinted
      ? `一次最多打印 ${maxPrinted} 个，请按楼栋筛选`
      : total
        ? undefined
        : '暂无可打印的位置'
  return (
    <div className="place-codes">
      <header>
        <Segmented<Kind>
          options={kinds}
          value={placeKind}
          onChange={kind => {
            setKind(kind)
            setPage({ ...page, page: 1 })
          }}
        />
        <div style={{ width: 260 }}>
          <RefSelect
            field={buildingsField}
            multiple
            named
            value={buildCodes}
            formValues={{ projectCode: project }}
            onChange={value => {
              setBuildings([value].flat().map(String))
              setPage({ ...page, page: 1 })
            }}
          />
        </div>
        <span className="spring" />
        <Button
          type="primary"
          loading={busy}
          aria-busy={busy}
          disabled={printRefusal !== undefined}
          title={printRefusal}
          onClick={() => void print()}
        >
          打印预览
        </Button>
      </header>
      <Loaded query={places} height={400} rows={8} keepsAnswer>
        {({ rows }) =>
          rows.length ? (
            <ul>
              {rows.map(place => (
                <li key={place.id}>
                  <div aria-hidden>
                    <QrCode value={new URL(place.url, location.origin).href} size={112} />
                  </div>
                  <b>{place.name}</b>
                  <button
                    type="button"
                    className="linkish"
                    onClick={() => void copyText(new URL(place.url, location.origin).href)}
                  >
                    复制链接
                  </button>
                </li>
              ))}
            </ul>
          ) : (
            <Empty text="无符合条件的位置" />
          )
        }
      </Loaded>
      <Paginator
        total={total}
        page={page.page}
        size={page.size}
        sizes={sizes}
        onChange={(number, size) => setPage({ page: number, size })}
      />
      {sheet && <SheetPreview file={sheet} onClose={() => setSheet(undefined)} />}
    </div>
  )
}
