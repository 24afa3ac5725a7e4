import type { ThemeConfig } from 'antd'

/** The component library's tokens: what both themes share, then each theme's colours. */
export const shared: ThemeConfig = {
  token: {
    fontFamily: '"PingFang SC", "Microsoft YaHei UI", "Microsoft YaHei", "Noto Sans SC", "Noto Sans CJK SC", "Source Han Sans SC", system-ui, sans-serif', fontFamilyCode: '"Cascadia Mono", Consolas, Menlo, "Noto Sans Mono CJK SC", monospace', fontSize: 14, fontSizeSM: 12, fontSizeLG: 16,
    fontSizeXL: 20, fontSizeHeading1: 28, fontSizeHeading2: 24, fontSizeHeading3: 20, fontSizeHeading4: 16,
    fontSizeHeading5: 14, fontWeightStrong: 600, lineHeight: 1.5714, controlHeight: 32, controlHeightSM: 26,
    controlHeightLG: 40, borderRadius: 6, borderRadiusSM: 4, borderRadiusXS: 3, borderRadiusLG: 8,
    sizeUnit: 4, sizeStep: 4, paddingXXS: 4, paddingXS: 8, paddingSM: 12,
    padding: 16, paddingMD: 20, paddingLG: 24, paddingXL: 32, wireframe: false,
    motionDurationFast: '0.08s', motionDurationMid: '0.14s', motionDurationSlow: '0.18s',
  },
  components: {
    Button: { fontWeight: 400, primaryShadow: 'none', defaultShadow: 'none', dangerShadow: 'none', paddingInline: 12, paddingInlineSM: 8 },
    Table: { cellFontSize: 14, cellFontSizeMD: 14, cellFontSizeSM: 13, cellPaddingBlock: 10, cellPaddingBlockMD: 10, cellPaddingBlockSM: 6, cellPaddingInline: 10, cellPaddingInlineMD: 10, cellPaddingInlineSM: 8, headerBorderRadius: 0, headerSplitColor: 'transparent', selectionColumnWidth: 40 },
    Form: { itemMarginBottom: 16, verticalLabelPadding: '0 0 4px', labelFontSize: 14 },
    Modal: { titleFontSize: 16, borderRadiusLG: 10 },
    Drawer: { paddingLG: 20, footerPaddingBlock: 12, footerPaddingInline: 20 },
    Tabs: { horizontalItemPadding: '10px 0', horizontalItemGutter: 24, horizontalMargin: '0', titleFontSize: 14 },
    Tag: { borderRadiusSM: 4 },
    Tree: { titleHeight: 32, indentSize: 20 },
    Pagination: { itemSize: 30 },
    Segmented: { trackPadding: 2 },
    Steps: { iconSize: 24, iconSizeSM: 20 },
    Tooltip: { borderRadius: 6 },
    Statistic: { contentFontSize: 24, titleFontSize: 13 },
  },
}
export const light: ThemeConfig = {
  token: {
    colorPrimary: '#0B6B75', colorLink: '#0B6B75', colorLinkHover: '#118796', colorLinkActive: '#084B53', colorSuccess: '#1F7A4D',
    colorWarning: '#8C5200', colorError: '#C0352B', colorInfo: '#3D5BC4', colorTextBase: '#1A2329', colorText: '#1A2329',
    colorTextSecondary: '#46525A', colorTextTertiary: '#5A666E', colorTextQuaternary: '#9AA5AC', colorTextPlaceholder: '#69757D', colorBgBase: '#FFFFFF',
    colorBgLayout: '#F3F5F6', colorBgContainer: '#FFFFFF', colorBgElevated: '#FFFFFF', colorBgMask: 'rgba(16,28,32,0.45)', colorBorder: '#C3CCD1',
    colorBorderSecondary: '#E6EBED', colorSplit: '#E6EBED', colorFillAlter: '#F7F9FA', colorFillSecondary: '#EEF2F3', colorFillTertiary: '#F3F5F6',
    colorFillQuaternary: '#F8FAFA', controlItemBgHover: '#F1F5F6', controlItemBgActive: '#E1F0F1', controlItemBgActiveHover: '#D3E8EA', controlOutline: 'rgba(11,107,117,0.18)',
    boxShadow: '0 8px 28px rgba(16,36,42,0.14), 0 1px 3px rgba(16,36,42,0.08)', boxShadowSecondary: '0 6px 20px rgba(16,36,42,0.12), 0 1px 3px rgba(16,36,42,0.08)',
  },
  components: {
    Table: { headerBg: '#F5F7F8', headerColor: '#46525A', headerSortActiveBg: '#EBF0F1', headerSortHoverBg: '#EBF0F1', bodySortBg: '#FFFFFF', rowHoverBg: '#F4F8F8', rowSelectedBg: '#EAF5F5', rowSelectedHoverBg: '#E1F0F1', borderColor: '#E9EEF0', footerBg: '#F5F7F8' },
    Tabs: { itemColor: '#46525A', itemHoverColor: '#0B6B75', itemSelectedColor: '#0B6B75' },
    Tooltip: { colorBgSpotlight: '#1F2B31' },
    Segmented: { trackBg: '#EBEFF1', itemSelectedBg: '#FFFFFF', itemColor: '#46525A' },
    Button: { defaultBorderColor: '#C3CCD1' },
    Checkbox: { colorBorder: '#7E8A92' },
    Radio: { colorBorder: '#7E8A92' },
    Switch: { colorTextQuaternary: '#7E8A92', colorTextTertiary: '#69757D' },
    Tree: { nodeSelectedBg: '#E1F0F1', nodeHoverBg: '#F1F5F6' },
  },
}
export const dark: ThemeConfig = {
  token: {
    colorPrimary: '#15808C', colorLink: '#5CC0C9', colorLinkHover: '#84D4DB', colorLinkActive: '#3FA6B0', colorSuccess: '#4FAE7C',
    colorWarning: '#D9A043', colorError: '#F2897E', colorInfo: '#7C95F0', colorTextBase: '#E3E8EB', colorText: '#E3E8EB',
    colorTextSecondary: '#A5B0B7', colorTextTertiary: '#8D99A1', colorTextQuaternary: '#5F6B73', colorTextPlaceholder: '#84919A', colorBgBase: '#161B1E',
    colorBgLayout: '#0F1315', colorBgContainer: '#161B1E', colorBgElevated: '#1E2529', colorBgMask: 'rgba(0,0,0,0.6)', colorBorder: '#38434A',
    colorBorderSecondary: '#262E33', colorSplit: '#262E33', colorFillAlter: '#1A2023', colorFillSecondary: '#242C31', colorFillTertiary: '#1E2529',
    colorFillQuaternary: '#1A2023', controlItemBgHover: '#20282D', controlItemBgActive: '#14343A', controlItemBgActiveHover: '#193F46', controlOutline: 'rgba(92,192,201,0.22)',
    boxShadow: '0 8px 28px rgba(0,0,0,0.55)', boxShadowSecondary: '0 6px 20px rgba(0,0,0,0.5)',
  },
  components: {
    Table: { headerBg: '#1B2125', headerColor: '#A5B0B7', headerSortActiveBg: '#222A2F', headerSortHoverBg: '#222A2F', bodySortBg: '#161B1E', rowHoverBg: '#1C2327', rowSelectedBg: '#142A2E', rowSelectedHoverBg: '#173338', borderColor: '#232B30', footerBg: '#1B2125' },
    Tabs: { itemColor: '#A5B0B7', itemHoverColor: '#84D4DB', itemSelectedColor: '#5CC0C9', inkBarColor: '#5CC0C9' },
    Tooltip: { colorBgSpotlight: '#36424A' },
    Segmented: { trackBg: '#20282D', itemSelectedBg: '#323D44', itemColor: '#A5B0B7' },
    Button: { dangerColor: '#250B08' },
    Checkbox: { colorBorder: '#6B7880' },
    Radio: { colorBorder: '#6B7880' },
    Switch: { colorTextQuaternary: '#6B7880', colorTextTertiary: '#7E8A92' },
    Pagination: { itemActiveColor: '#84D4DB', itemActiveBg: '#14343A' },
    Tree: { nodeSelectedBg: '#14343A', nodeHoverBg: '#20282D' },
  },
}
