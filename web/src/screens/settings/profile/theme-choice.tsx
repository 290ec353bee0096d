import { Choice } from '../../../ui/choice.tsx';
import { Card } from '../../../ui/page.tsx';
import { setTheme, useTheme } from '../../shell/theme.ts';

export function ThemeChoice() {
  const theme = useTheme();
  return (
    <Card title="Appearance" description="For this browser only.">
      <Choice
        label="Theme"
        isLabelHidden
        options={[
          ['light', 'Light'],
          ['dark', 'Dark'],
          ['system', 'Match system'],
        ]}
        value={theme}
        onChange={setTheme}
      />
    </Card>
  );
}
