import type { ModuleManifest } from '#kit/contract/module.ts'
import { manifest as access } from './access/module.ts'
import { manifest as accounts } from './accounts/module.ts'
import { manifest as activities } from './activities/module.ts'
import { manifest as attendance } from './attendance/module.ts'
import { manifest as approvals } from './approvals/module.ts'
import { manifest as charging } from './charging/module.ts'
import { manifest as cleaning } from './cleaning/module.ts'
import { manifest as bills } from './bills/module.ts'
import { manifest as companies } from './companies/module.ts'
import { manifest as deposits } from './deposits/module.ts'
import { manifest as devices } from './devices/module.ts'
import { manifest as elevators } from './elevators/module.ts'
import { manifest as estates } from './estates/module.ts'
import { manifest as feeReports } from './fee-reports/module.ts'
import { manifest as fees } from './fees/module.ts'
import { manifest as files } from './files/module.ts'
import { manifest as integrations } from './integrations/module.ts'
import { manifest as invoices } from './invoices/module.ts'
import { manifest as landscaping } from './landscaping/module.ts'
import { manifest as merchantCoupons } from './merchant-coupons/module.ts'
import { manifest as merchants } from './merchants/module.ts'
import { manifest as messaging } from './messaging/module.ts'
import { manifest as meters } from './meters/module.ts'
import { manifest as monthCards } from './month-cards/module.ts'
import { manifest as notices } from './notices/module.ts'
import { manifest as onboarding } from './onboarding/module.ts'
import { manifest as parking } from './parking/module.ts'
import { manifest as parkingCameras } from './parking-cameras/module.ts'
import { manifest as parkingBooth } from './parking-booth/module.ts'
import { manifest as parkingLanes } from './parking-lanes/module.ts'
import { manifest as parkingPayments } from './parking-payments/module.ts'
import { manifest as patrol } from './patrol/module.ts'
import { manifest as payments } from './payments/module.ts'
import { manifest as plannedWork } from './planned-work/module.ts'
import { manifest as personalData } from './personal-data/module.ts'
import { manifest as portal } from './portal/module.ts'
import { manifest as products } from './products/module.ts'
import { manifest as prestore } from './prestore/module.ts'
import { manifest as purchases } from './purchases/module.ts'
import { manifest as reconcile } from './reconcile/module.ts'
import { manifest as residentBills } from './resident-bills/module.ts'
import { manifest as residentPage } from './resident-page/module.ts'
import { manifest as residents } from './residents/module.ts'
import { manifest as roomInspection } from './room-inspection/module.ts'
import { manifest as rooms } from './rooms/module.ts'
import { manifest as staff } from './staff/module.ts'
import { manifest as system } from './system/module.ts'
import { manifest as visitors } from './visitors/module.ts'
import { manifest as wechat } from './wechat/module.ts'
import { manifest as workOrders } from './work-orders/module.ts'

/** Every module of the product, in menu order: the only list. */
export const modules: readonly ModuleManifest[] = [
  estates,
  rooms,
  residents,
  companies,
  notices,
  messaging,
  merchants,
  parking,
  fees,
  meters,
  bills,
  payments,
  reconcile,
  prestore,
  deposits,
  invoices,
  feeReports,
  workOrders,
  access,
  visitors,
  residentPage,
  residentBills,
  activities,
  parkingLanes,
  parkingCameras,
  parkingBooth,
  monthCards,
  parkingPayments,
  merchantCoupons,
  roomInspection,
  patrol,
  plannedWork,
  landscaping,
  cleaning,
  staff,
  portal,
  attendance,
  approvals,
  purchases,
  accounts,
  devices,
  elevators,
  charging,
  files,
  onboarding,
  products,
  wechat,
  integrations,
  personalData,
  system,
]
