import { Choice } from '../../../ui/controls/choice.tsx';
import { Card } from '../../../ui/pages/page.tsx';
import { setTheme, THEMES, useTheme } from '../../../data/device/theme.ts';

export function ThemeChoice() {
  const theme = useTheme();
  return (
    <Card title="Appearance" description="For this browser only.">
      <Choice label="Theme" isLabelHidden options={THEMES} value={theme} onChange={setTheme} />
    </Card>
  );
}
