import type { Rolldown } from 'vite'

type Group = Rolldown.CodeSplittingGroup

/** Paths are written with `/`, also in `[^/]`; on Windows they have the other one. */
export const pathsLike = (...patterns: readonly string[]): RegExp =>
  new RegExp(
    patterns
      .map(pattern => `(?:${pattern})`)
      .join('|')
      .replaceAll('[^/]', '[^\\\\/]')
      .replaceAll(/(?<!\\)\//g, '[\\\\/]'),
  )

interface Layer extends Omit<Group, 'test' | 'name'> {
  readonly name: string
  readonly files?: readonly string[]
}

/** What is needed everywhere, in layers: each has everything it needs that no earlier one has. */
const layers: readonly Layer[] = [
  {
    name: 'react',
    files: ['node_modules/(react|react-dom|scheduler|react-router)/'],
    priority: 30,
  },
  // Lists that come and go, for toasts alone; the library's index brings them in from the start.
  {
    name: 'motion-list',
    files: ['@rc-component/motion/es/(CSSMotionList|util/diff)'],
    priority: 27,
    includeDependenciesRecursively: false,
  },
  // The entry with its imports, and what sign-in and shell need at once: one file packs better.
  {
    name: 'start',
    // What only the pages of personal data need stands there too.
    files: [
      'apps/web/main\\.tsx',
      'kit/(contract/(?!crud|import-export|module\\.ts|legal-ground|period-unit)|domain/records)',
      'accounts/(contract/sign-in|module)\\.ts',
      // What the pages of residents share with the shell: else they fetch its lists and inputs for it.
      'kit/web/(icons|lazy-component|refusal-faults|required-star)\\.tsx?',
    ],
    priority: 25,
  },
  // The list of all screens, which sign-in does without.
  { name: 'screens', files: ['apps/web/screens\\.ts'], priority: 22 },
  {
    name: 'input',
    files: [
      'node_modules/antd/es/(button/|checkbox/|input/(index|Input)\\.js)',
      'node_modules/@ant-design/icons/es/icons/\\w+CircleFilled',
      'kit/web/required-star',
    ],
    priority: 20,
  },
  {
    name: 'shell',
    files: [
      'kit/web/(shell/(shell\\.tsx|waiting\\.ts)|use-live-refetch\\.ts)',
      // Small, and else a file of its own in every page with a search.
      'kit/web/marked-text\\.tsx',
      'apps/web/(signed-in-shell|host|connect-kit)\\.tsx?',
    ],
    priority: 15,
  },
  // What a form or the cashier shares with lists, without the lists themselves.
  {
    name: 'select',
    files: [
      'antd/es/(select|style/motion)/',
      'kit/web/(allow-clear|list/list-states)\\.tsx',
      '(Search|Plus|Reload|Delete)Outlined',
    ],
    priority: 12,
  },
  {
    name: 'list',
    files: [
      'kit/web/(list/list-page|columns)\\.tsx',
      // What lists and their forms declare, and no page of sign-in does.
      'kit/contract/(crud|import-export|module\\.ts)',
      // Small files of nearly every screen, none of which needs a library of its own.
      'kit/domain/(id|search-rank|state-machine|to-error)\\.ts',
      'kit/web/(record-actions|screen-action|chosen-project|refusal-faults|date-picker|masked-value)\\.tsx?',
      'kit/web/(addressed-record|address-value|loaded|record-failure|search-input|focus-first-input)\\.tsx?',
      'kit/web/(focused-element|use-first-value|use-focus-return|pinyin|use-pinyin-matcher|controls/read-value)\\.ts',
      'estates/web/(public|use-project|chosen-project)\\.tsx?',
      '(Copy|Delete|Edit|Ellipsis|Left|Printer|Right)Outlined',
    ],
    priority: 10,
  },
  { name: 'dialog', files: ['antd/es/modal/'], priority: 7 },
  // What a form shares with the questions before an act.
  { name: 'fields', files: ['antd/es/(radio/|input/TextArea)'], priority: 6 },
  { name: 'drawer', files: ['antd/es/drawer/'], priority: 6 },
  { name: 'form', files: ['kit/web/form/form-page\\.tsx'], priority: 5 },
  { name: 'tooltip', files: ['antd/es/tooltip/'], priority: 4 },
  // The permissions and addresses that modules lend each other's screens, or the shell.
  {
    name: 'menus',
    files: [
      '(accounts|approvals|bills|companies|deposits|devices|estates|fees)/module\\.ts',
      '(invoices|meters|onboarding|parking|payments|planned-work|prestore|products)/module\\.ts',
      '(residents|rooms|system|work-orders)/module\\.ts',
      'modules/[^/]+/web/public\\.actions\\.ts',
      'kit/web/routes\\.ts',
      'accounts/web/print-preview-sources\\.ts',
      'kit/web/extension-point\\.ts',
      'estates/contract/estate\\.ts',
      'payments/web/cashier-extensions\\.ts',
      '(accounts|bills|fee-reports|fees|invoices|meters|payments|residents|system)/web/paths\\.ts',
    ],
    priority: 4,
  },
]

interface Shared {
  readonly name: string
  readonly files: readonly string[]
  readonly priority?: number
  /** As many pages, dialogs and other parts need it. */
  readonly sharedBy?: number
}

/** Small files that are needed together, as one: a page requests few. Each takes only what its paths name. */
const shared: readonly Shared[] = [
  // What the pages before sign-in share.
  {
    name: 'auth',
    files: ['accounts/web/(auth-layout|skyline|proof-of-work|sign-in-entries)\\.tsx?'],
    priority: 14,
  },
  { name: 'choices', files: ['(fees|bills|payments)/contract/choices', 'fees/contract/money-terms'] },
  {
    name: 'rules',
    files: [
      'bills/domain/(bill|bill-row)\\.ts',
      'payments/domain/',
      'payments/web/(busy-times|counter-choice|format-methods)\\.',
    ],
    priority: 4,
  },
  { name: 'bill-record', files: ['bills/contract/bill\\.ts', 'payments/contract/record\\.ts'] },
  {
    name: 'payment-parts',
    files: [
      'payments/contract/(channel|order)\\.ts',
      'payments/web/(error-message|use-channel-payment|use-receipts)\\.',
    ],
  },
  {
    name: 'counter-contract',
    files: [
      'payments/contract/(cashier|payment)\\.ts',
      'bills/contract/(temporary|adjustments|actions|list)\\.ts',
    ],
  },
  {
    name: 'counter',
    files: ['payments/web/(cashier-actions|use-bill-keys|use-scan-burst)\\.tsx?'],
  },
  { name: 'reader-icons', files: ['(CreditCard|Scan)Outlined'] },
  {
    name: 'bill-list',
    files: ['bills/(contract/(import|bill-detail|notice|reminder)|web/(print|period-after))\\.'],
  },
  {
    name: 'room-list',
    files: [
      'rooms/(domain|web)/effective-date',
      'rooms/contract/(effective-date|import-export|room-change|room-board)',
      'rooms/web/(floors|paths|room-kinds)\\.',
    ],
  },
  { name: 'labels', files: ['(rooms|residents|parking)/contract/labels', 'rooms/contract/room\\.ts'] },
  {
    name: 'meters',
    files: [
      'meters/contract/(meter|meter-calls|month-grid|plan|reading|transfer)\\.ts',
      'meters/domain/',
      'meters/web/(entry-preview|labels|meter-row-actions|phone-reading-path)\\.',
    ],
  },
  // What the shell asks of the module of tasks and messages once it stands, and of alarms over every page.
  {
    name: 'notices',
    files: [
      'system/contract/(announcement|notification|task)\\.ts',
      'elevators/(contract/(alarm|choices)|web/live-alarms)\\.ts',
    ],
  },
  // What extensions name beside the menus above, fetched when nothing is waited for.
  {
    name: 'extended',
    files: [
      'residents/(contract/card-permissions|web/public\\.(card-reader|holder-rights))\\.ts',
      '(elevators|merchant-coupons|month-cards|parking-booth|parking-cameras|parking-lanes|parking-payments)/module\\.ts',
      'payments/web/public\\.trade-screens\\.ts',
      'access/module\\.ts',
      'parking/(contract/car-permissions|web/public\\.car-tabs)\\.ts',
      '(parking-lanes|merchants)/web/public\\.(tabs|merchant-tabs)\\.ts',
    ],
    priority: 4,
  },
  // What the screens of lanes and booths share.
  {
    name: 'parking-records',
    files: ['parking-lanes/contract/(charge|choices|passage|price-test|stay)\\.ts'],
  },
  { name: 'onboarding', files: ['onboarding/contract/', 'onboarding/web/(guide-state|paths|sample)\\.'] },
  {
    name: 'edit',
    files: [
      'kit/web/(bulk-result-dialog|confirm-text-input|form/action-dialog|form/edit-dialog|form/inline-form|form/use-edit)\\.',
    ],
  },
  { name: 'estates', files: ['estates/contract/(building|public-area)'] },
  {
    name: 'standards',
    files: ['fees/contract/(standard|item|binding|relation|relation-calls|formula)\\.ts'],
  },
  {
    name: 'reports',
    files: [
      'fee-reports/contract/(daily-collection|month|receivable|report|statistic)\\.ts',
      'fee-reports/web/(bars|chart-unit|drilldown|drilldown-filter|drilldowns)\\.tsx?',
    ],
  },
  {
    name: 'work-orders',
    files: [
      'work-orders/contract/(choices|order-list|work-order)\\.ts',
      'work-orders/web/(live-orders|time-left)\\.ts',
    ],
  },
  {
    name: 'printing',
    files: [
      'accounts/(contract/print-settings|domain/(print-settings|print-placeholders|print-layout)|web/document-texts)\\.ts',
    ],
  },
  // What the pages of greening and cleaning share.
  {
    name: 'kinds-of-work',
    files: [
      'planned-work/web/(kind-plan-parts|kind-records|kind-tasks|task-content|task-groups|use-assign)\\.tsx?',
    ],
  },
  { name: 'order-costs', files: ['work-orders/(contract/charge|domain/cost)\\.ts'] },
  { name: 'purchases', files: ['purchases/contract/(order|receipt|lines|purchase)\\.ts'] },
  {
    name: 'approval-parts',
    files: ['approvals/web/(instance-content|instance-status|planned-nodes)\\.tsx?'],
  },
  { name: 'files-rules', files: ['modules/files/(contract|domain)/'], priority: 2 },
  // What the pages of residents need of it, without lists and inputs.
  {
    name: 'phone-page',
    files: ['kit/web/phone/(describe-refusal|phone-field|phone)\\.(tsx?|css)'],
    priority: 4,
    sharedBy: 1,
  },
  { name: 'phone', files: ['kit/web/phone/'], priority: 2 },
  { name: 'detail', files: ['kit/web/(detail/|lazy-tabs|page-tabs|tabbed)'], priority: 2, sharedBy: 3 },
  {
    name: 'tree',
    files: [
      'kit/web/pickers/(tree-keys|tree-leaf|tree-selection|use-tree|use-tree-search)\\.',
      'CaretRightFilled',
    ],
    priority: 3,
  },
  { name: 'pickers', files: ['kit/web/pickers/'], priority: 2 },
]

/** The paths of every group, as they are written above. */
export const chunkPaths: readonly string[] = [...layers, ...shared].flatMap(({ files = [] }) => files)

/** The addresses of any other module, beside its routes: it weighs on its own screens alone. */
const ofModule: Group = {
  name: id => `${/modules[\\/]([^\\/]+)/.exec(id)?.[1]}-routes`,
  test: pathsLike('modules/[^/]+/(module|web/routes)\\.ts'),
  priority: 3,
  includeDependenciesRecursively: false,
}

export const chunkGroups: Group[] = [
  ofModule,
  ...layers.map(({ files, ...layer }): Group => (files ? { ...layer, test: pathsLike(...files) } : layer)),
  ...shared.map(({ name, files, priority = 3, sharedBy = 2 }) => ({
    name,
    test: pathsLike(...files),
    priority,
    minShareCount: sharedBy,
    includeDependenciesRecursively: false,
  })),
]
