import { useNavigate } from 'react-router'
import { ImportPage } from '#kit/web/transfer/import-page.tsx'
import { useProject } from '#modules/estates/web/public.tsx'
import { importPoints } from '../contract/point.ts'
import { paths } from '../module.ts'

/** 导入巡更点 */
export default function ImportPointsPage() {
  const projectCode = useProject()
  const navigate = useNavigate()
  return (
    <ImportPage
      key={projectCode}
      spec={importPoints}
      itemName="巡更点位"
      input={{ projectCode }}
      onClose={() => void navigate(paths.points)}
    />
  )
}
