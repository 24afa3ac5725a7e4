import { Link, useSearchParams } from 'react-router'
import { KindFilter, useAddressKinds } from './kind-filter.tsx'

/** Which kinds a list shows, and whose tasks it is, where a figure opened it. */
export function ListSubject({ path }: { readonly path: string }) {
  const [address] = useSearchParams()
  const [kinds, setKinds] = useAddressKinds()
  const about = address.get('about')
  return (
    <div className="toolbar">
      <KindFilter value={kinds} onChange={setKinds} />
      {about && (
        <p>
          统计对象：{about}　<Link to={path}>查看全部</Link>
        </p>
      )}
    </div>
  )
}
